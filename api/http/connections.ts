import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Server as TlsServer } from 'node:tls';

// Interval at which a draining server looks for connections whose answer has ended.
const DRAIN_POLL_MS = 50;
// A client that connects just before a drain has this long for the head of its request, and new ones are let in for as long at most.
const ARRIVAL_MS = 1_000;

/** Limits of a server's connections: their number, and how long a client may leave pending data unread. */
export interface ConnectionLimits {
  connectionsMax: number;
  stallMs: number;
}

// Each uses a file descriptor, which the database and the upstreams also need.
const LIMITS: ConnectionLimits = { connectionsMax: 10_000, stallMs: 60_000 };

/** Shuts a server down: the promise resolves when its last connection is closed. */
export interface Drain {
  closed: Promise<void>;
  /** Closes all remaining connections. */
  closeAll(): void;
}

/**
 * The requests that reach the `upgrade` event: others that name a protocol, for example HTTP/2 by curl, are answered as ordinary requests.
 */
export const shouldUpgradeCallback = ({ method, headers }: IncomingMessage): boolean =>
  method === 'GET' && headers.upgrade?.toLowerCase() === 'websocket';

/** Watches a server's connections. Returns its shutdown: see `Drain`. */
export function watchConnections(server: Server, { connectionsMax, stallMs }: ConnectionLimits = LIMITS): () => Drain {
  const sockets = new Set<Socket>();
  // Those that came too recently to be idle, although no request of theirs is known yet.
  const arriving = new WeakMap<Socket, number>();
  // On TLS servers, requests belong to the encrypted side of a connection.
  server.on(server instanceof TlsServer ? 'secureConnection' : 'connection', (socket: Socket) => {
    sockets.add(socket);
    arriving.set(socket, performance.now() + ARRIVAL_MS);
    socket.once('close', () => sockets.delete(socket));
  });
  const handshakes = server instanceof TlsServer ? watchHandshakes(server) : new Map<string, Socket>();
  server.maxConnections = connectionsMax;
  watchStalls(sockets, stallMs);

  // A request ends the arrival: its connection is idle once its answer has ended.
  server.on('request', ({ socket }) => void arriving.delete(socket));

  /** Refuses new connections, closes idle ones, and closes the others after their answer. */
  return function drain() {
    const poll = setInterval(closeUnused, DRAIN_POLL_MS);
    const closed = noneWaits(server)
      .then(() => new Promise<void>((resolve) => server.close(() => resolve())))
      .finally(() => clearInterval(poll));
    closeUnused();
    return { closed, closeAll: () => server.closeAllConnections() };
  };

  // Node counts a connection without a request as busy, and does not close connections that become idle later.
  function closeUnused(): void {
    for (const socket of handshakes.values()) socket.destroy();
    for (const socket of sockets) {
      const answer = answerOn(socket);
      if (answer) answer.shouldKeepAlive = false;
      else if ((arriving.get(socket) ?? 0) < performance.now()) socket.destroySoon();
    }
  }
}

/**
 * Resolves when no connection waits to be accepted: closing the server would reset those that the system has opened already, under a request
 * that their client has sent and may not repeat. Node accepts one in each turn of its event loop.
 */
async function noneWaits(server: Server): Promise<void> {
  let hasCome = true;
  const onConnection = () => void (hasCome = true);
  server.on('connection', onConnection);
  const endMs = performance.now() + ARRIVAL_MS;
  // From the end of a turn on, each turn accepts once before it ends.
  await nextTurn();
  while (hasCome && performance.now() < endMs) {
    hasCome = false;
    await nextTurn();
  }
  server.off('connection', onConnection);
}

/** The connections of a server that are still in the TLS handshake, by their peer: Node's HTTP server does not know them yet. */
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

/** The answer that is open on a connection, if any. */
export function answerOn(socket: Duplex): ServerResponse | null | undefined {
  return (socket as { _httpMessage?: ServerResponse | null })._httpMessage;
}

const LOOKS = 4;

/**
 * Closes connections whose client has read nothing for `stallMs` although data is pending: the answer uses memory and its key's slot.
 * Connections that wait for an answer are not affected. Costs nothing per answer: all connections are checked a few times in that period.
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

// Node reports a large write only once all of it is sent; the socket's counters below show its progress.
function progressOf(socket: Socket): string {
  const { _handle } = socket as { _handle?: { writeQueueSize: number } | null };
  return `${socket.bytesWritten - socket.writableLength} ${_handle?.writeQueueSize}`;
}
