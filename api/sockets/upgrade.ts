import type { IncomingMessage, RequestListener, Server } from 'node:http';
import type { Socket } from 'node:net';
import type { WebSocket, WebSocketServer } from 'ws';
import { MIB } from '../../base/limits.ts';
import type { Context } from '../context.ts';
import { ApiError } from '../../base/errors/apiError.ts';
import { invalidRequest } from '../../base/errors/requestErrors.ts';
import { overloaded } from '../../base/errors/serviceErrors.ts';
import { ClientLeft } from '../../calls/errors/clientLeft.ts';
import { KEY_PROTOCOL } from '../guard/key.ts';
import { answerOn } from '../http/connections.ts';
import { FlatResponse } from '../http/flatResponse.ts';

/** The largest client message; a larger one closes the socket with 1009. */
const MESSAGE_BYTES_MAX = MIB;
// A subprotocol that both vendors' clients offer besides their key.
const REALTIME_PROTOCOL = 'realtime';

/** A request to open a socket, before it is accepted or refused. */
interface Upgrade {
  socket: Socket;
  head: Buffer;
  res: FlatResponse;
  refuse: (error: Error) => void;
}

const upgrades = new WeakMap<IncomingMessage, Upgrade>();

/**
 * Passes requests for a socket to the app like any other request: their route's guards answer in plain HTTP before the upgrade, and its
 * handler accepts with `acceptSocket`. The answer's `close` event is then the end of the socket, so a slot of the key is held until then.
 */
export function answerUpgrades(server: Server, answer: RequestListener): void {
  server.on('upgrade', (req: IncomingMessage, socket: Socket, head: Buffer) => {
    socket.on('error', () => socket.destroy());
    // Sent before an earlier request on the connection was answered.
    if (answerOn(socket)) {
      socket.destroy();
      return;
    }
    const res = new FlatResponse(req);
    res.shouldKeepAlive = false;
    res.assignSocket(socket);
    res.on('finish', () => socket.destroySoon());
    upgrades.set(req, { socket, head, res, refuse: () => {} });
    answer(req, res);
  });
}

/**
 * Opens the requested socket, with the subprotocol `realtime` if offered. Throws 426 for a request without an upgrade, and 400 for a bad
 * handshake.
 */
export async function acceptSocket(ctx: Context): Promise<WebSocket> {
  const upgrade = upgrades.get(ctx.req);
  if (!upgrade) throw upgradeRequired();
  const server = await (socketServer ??= openSocketServer());
  const { socket, head } = upgrade;
  if (socket.destroyed || !socket.readable || !socket.writable) {
    ctx.state.log.cancelled = true;
    throw new ClientLeft('the client disconnected before its socket opened');
  }
  return new Promise((resolve, reject) => {
    upgrade.refuse = reject;
    server.handleUpgrade(ctx.req, socket, head, (opened) => {
      // From here on there is no HTTP answer.
      ctx.respond = false;
      ctx.res.statusCode = 101;
      upgrades.delete(ctx.req);
      resolve(opened);
    });
  });
}

const upgradeRequired = () =>
  new ApiError({
    status: 426,
    code: 'upgrade_required',
    headers: { upgrade: 'websocket' },
    message: 'This address is a WebSocket. Open it with a WebSocket client, as wss://.',
  });

// One for all sockets of the process, loaded by the first.
let socketServer: Promise<WebSocketServer> | undefined;

async function openSocketServer(): Promise<WebSocketServer> {
  const { WebSocketServer: Server } = await import('ws');
  const server = new Server({
    noServer: true,
    clientTracking: false,
    maxPayload: MESSAGE_BYTES_MAX,
    perMessageDeflate: false,
    handleProtocols: chooseProtocol,
  });
  server.on('headers', (lines, req) => {
    const headers = Object.entries(upgrades.get(req)?.res.getHeaders() ?? {});
    lines.push(...headers.map(([name, value]) => `${name}: ${String(value)}`));
  });
  server.on('wsClientError', (error, _socket, req) =>
    upgrades.get(req)?.refuse(invalidRequest('invalid_handshake', `${error.message}.`)),
  );
  return server;
}

/**
 * A key is echoed only to a client that could not connect otherwise, because browsers fail without a chosen subprotocol: answer headers are
 * logged in more places than request headers.
 */
function chooseProtocol(offered: Set<string>): string | false {
  if (offered.has(REALTIME_PROTOCOL)) return REALTIME_PROTOCOL;
  return [...offered].find((one) => KEY_PROTOCOL.test(one)) ?? false;
}

const WAITING_MAX = 500;
let waiting = 0;

/** Counts a socket without a key until `leave` is called. Throws 503 when too many wait: they cost memory and belong to no account. */
export function enterWithoutKey(): () => void {
  if (waiting >= WAITING_MAX) throw overloaded();
  waiting += 1;
  return () => void (waiting -= 1);
}
