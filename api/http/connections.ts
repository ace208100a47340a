import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { Server as TlsServer } from 'node:tls';

// How often a server that ends looks for connections whose answer has ended.
const DRAIN_POLL_MS = 50;

/** What a server keeps of connections: how many at once, and how long those whose client takes nothing of its answer. */
export interface ConnectionLimits {
  connectionsMax: number;
  stallMs: number;
}

// Each costs a file descriptor, of which the database and the upstreams need some too.
const LIMITS: ConnectionLimits = { connectionsMax: 10_000, stallMs: 60_000 };

/** Ends a server: the promise resolves when its last connection is closed. */
export interface Drain {
  closed: Promise<void>;
  /** Closes what is still open. */
  closeAll(): void;
}

/** Watches a server's connections. Returns what ends it: see `drain`. */
export function watchConnections(server: Server, { connectionsMax, stallMs }: ConnectionLimits = LIMITS): () => Drain {
  const sockets = new Set<Socket>();
  // Requests travel on the encrypted side of a connection, where there is one.
  server.on(server instanceof TlsServer ? 'secureConnection' : 'connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  const handshakes = server instanceof TlsServer ? watchHandshakes(server) : new Map<string, Socket>();
  server.maxConnections = connectionsMax;
  watchStalls(sockets, stallMs);

  /** Takes no more connections, closes those that carry no request, and the others when they have their answer. */
  return function drain() {
    const poll = setInterval(closeUnused, DRAIN_POLL_MS);
    const closed = new Promise<void>((resolve) => server.close(() => resolve())).finally(() => clearInterval(poll));
    closeUnused();
    return { closed, closeAll: () => server.closeAllConnections() };
  };

  // Node counts a connection that has sent nothing yet as busy, and forgets to close the ones that become idle later.
  function closeUnused(): void {
    for (const socket of handshakes.values()) socket.destroy();
    for (const socket of sockets) {
      const answer = answerOn(socket);
      if (answer) answer.shouldKeepAlive = false;
      else socket.destroySoon();
    }
  }
}

/** The connections of a server, by their peer, whose encryption is still being agreed on: Node's HTTP knows nothing of them yet. */
function watchHandshakes(server: TlsServer): Map<string, Socket> {
  const handshakes = new Map<string, Socket>();
  server.on('connection', (socket: Socket) => {
    const peer = peerOf(socket);
    handshakes.set(peer, socket);
    socket.once('close', () => handshakes.get(peer) === socket && handshakes.delete(peer));
  });
  server.on('secureConnection', (socket) => handshakes.delete(peerOf(socket)));
  return handshakes;
}

const peerOf = ({ remoteAddress, remotePort }: Socket) => `${remoteAddress} ${remotePort}`;

/** The answer that a connection carries now, if any. */
export function answerOn(socket: Duplex): ServerResponse | null | undefined {
  return (socket as { _httpMessage?: ServerResponse | null })._httpMessage;
}

const LOOKS = 4;

/**
 * Closes connections whose client has taken nothing for `stallMs` of what is there for it: its answer is kept in memory, and the slot of
 * its key taken, for as long as it likes. Connections that wait for an answer are left alone. Nothing is done for each answer: all
 * connections are looked at a few times in that time.
 */
function watchStalls(sockets: ReadonlySet<Socket>, stallMs: number): void {
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
