import { STATUS_CODES, type IncomingMessage, type Server, type ServerOptions, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { Server as TlsServer } from 'node:tls';
import { newId } from '../db/ids.ts';
import { API_VERSION } from './http/apiVersion.ts';
import { ApiError } from './errors/apiError.ts';
import { invalidRequest, methodNotAllowed, requestTimeout } from './errors/requestErrors.ts';
import { FlatResponse } from './http/flatResponse.ts';
import { carriesUpload } from './guard/uploadPace.ts';

/** How answers are kept, and limits of time and size for what arrives. A request's own work may take as long as it takes. */
export const serverOptions: ServerOptions<typeof IncomingMessage, typeof FlatResponse> = {
  ServerResponse: FlatResponse,
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  connectionsCheckingInterval: 1_000,
  keepAliveTimeout: 65_000,
  maxHeaderSize: 16 * 1024,
  // A header sent twice must not pass as its first value: the app sees both, and refuses what it can't tell apart.
  joinDuplicateHeaders: true,
  // Left to the app, whose refusal has a body and an id.
  requireHostHeader: false,
};

// How long a refused client has to read why, before its connection goes.
const LINGER_MS = 1_000;

// How often a server that ends looks for connections whose answer has ended.
const DRAIN_POLL_MS = 50;

/** Watches a server's connections. Returns what ends it: see `drain`. */
export function watchConnections(server: Server): (limitMs: number) => Promise<void> {
  const sockets = new Set<Socket>();
  // Requests travel on the encrypted side of a connection, where there is one.
  server.on(server instanceof TlsServer ? 'secureConnection' : 'connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });

  /** Takes no more connections, closes those that carry no request, and the others when they have their answer, or after `limitMs`. */
  return async function drain(limitMs) {
    const closed = new Promise((resolve) => server.close(resolve));
    const poll = setInterval(closeUnused, DRAIN_POLL_MS);
    const impatience = setTimeout(() => server.closeAllConnections(), limitMs);
    closeUnused();
    await closed;
    clearInterval(poll);
    clearTimeout(impatience);
  };

  // Node counts a connection that has sent nothing yet as busy, and forgets to close the ones that become idle later.
  function closeUnused(): void {
    for (const socket of sockets) {
      const answer = answerOn(socket);
      if (answer) answer.shouldKeepAlive = false;
      else socket.destroySoon();
    }
  }
}

/** Answers what Node's parser refuses before the app sees it, in the platform's error form. */
export function refuseBadRequests(server: Server): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
    // An upload is held to its pace instead. Node tells of each request once.
    if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && carriesUpload(socket)) return;
    if (socket.writable && !isAnswering(socket)) refuse(socket, errorFor(error.code ?? ''));
    else socket.destroy();
  });
  server.on('connect', (_, socket) => refuse(socket, methodNotAllowed('CONNECT', ['GET', 'POST'])));
  // Expectations that nobody knows may be ignored.
  server.on('checkExpectation', (req, res) => server.emit('request', req, res));
}

function refuse(socket: Duplex, error: ApiError): void {
  socket.end(rawAnswer(error));
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
}

// Whoever sends garbage while its answer runs must not find a second answer in the first.
function isAnswering(socket: Duplex): boolean {
  return answerOn(socket)?.headersSent === true;
}

function answerOn(socket: Duplex): ServerResponse | null | undefined {
  return (socket as { _httpMessage?: ServerResponse | null })._httpMessage;
}

function errorFor(code: string): ApiError {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return requestTimeout();
  if (code === 'HPE_HEADER_OVERFLOW') {
    return new ApiError({ status: 431, code: 'headers_too_large', message: 'The request headers are too large.' });
  }
  return invalidRequest('invalid_request', 'The request is not valid HTTP.');
}

function rawAnswer(error: ApiError): string {
  const text = JSON.stringify({ error: error.body });
  const headers = {
    ...error.headers,
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(text),
    'x-request-id': newId('req'),
    'x-api-version': API_VERSION,
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
    connection: 'close',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return [`HTTP/1.1 ${error.status} ${STATUS_CODES[error.status]}`, ...lines, '', text].join('\r\n');
}
