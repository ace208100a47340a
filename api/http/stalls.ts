import type { Socket } from 'node:net';

const LOOKS = 4;

/**
 * Closes connections whose client has taken nothing for `stallMs` of what is there for it: its answer is kept in memory, and the slot of
 * its key taken, for as long as it likes. Connections that wait for an answer are left alone. Nothing is done for each answer: all
 * connections are looked at a few times in that time.
 */
export function watchStalls(sockets: ReadonlySet<Socket>, stallMs: number): void {
  let seen = new Map<Socket, { progress: string; looks: number }>();
  const look = (): void => {
    const now = new Map<Socket, { progress: string; looks: number }>();
    for (const socket of sockets) {
      if (socket.writableLength === 0) continue;
      const progress = progressOf(socket);
      const before = seen.get(socket);
      const looks = before?.progress === progress ? before.looks + 1 : 0;
      if (looks < LOOKS) now.set(socket, { progress, looks });
      else socket.destroy();
    }
    seen = now;
  };
  setInterval(look, stallMs / LOOKS).unref();
}

// A large write is one for Node until all of it is taken; how far it has come is known below.
function progressOf(socket: Socket): string {
  const { _handle } = socket as { _handle?: { writeQueueSize: number } | null };
  return `${socket.bytesWritten - socket.writableLength} ${_handle?.writeQueueSize}`;
}
