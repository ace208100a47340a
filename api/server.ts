import type { IncomingMessage, Server, ServerOptions, ServerResponse } from 'node:http';
import type { ServerOptions as TlsServerOptions } from 'node:https';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { newId } from '../db/ids.ts';
import { API_VERSION, FlatResponse, STATUS_CODES } from './http/flatResponse.ts';
import { ApiError } from '../base/errors/apiError.ts';
import { invalidRequest, methodNotAllowed, requestTimeout } from '../base/errors/requestErrors.ts';
import { answerOn, shouldUpgradeCallback } from './http/connections.ts';
import { carriesUpload } from './body/uploadRate.ts';

const HEADERS_MS = 10_000;
const KEEP_ALIVE_MS = 65_000;

/** The response class, and limits of time and size for requests. Handling a request has no time limit. */
export const SERVER_OPTIONS: ServerOptions<typeof IncomingMessage, typeof FlatResponse> = {
  ServerResponse: FlatResponse,
  headersTimeout: HEADERS_MS,
  requestTimeout: 30_000,
  connectionsCheckingInterval: 1_000,
  keepAliveTimeout: KEEP_ALIVE_MS,
  maxHeaderSize: 16 * 1024,
  // A repeated header must not pass as its first value: the app sees all values, and refuses ambiguous headers.
  joinDuplicateHeaders: true,
  // Left to the app, whose refusal has a body and an id.
  requireHostHeader: false,
  shouldUpgradeCallback,
};

/** The same for TLS, where the request's time limit starts after the handshake. */
export const TLS_SERVER_OPTIONS: TlsServerOptions<typeof IncomingMessage, typeof FlatResponse> = {
  ...SERVER_OPTIONS,
  handshakeTimeout: 10_000,
};

// Time for a refused client to read the error before its connection is closed.
const LINGER_MS = 1_000;
const LINE_BYTES_MAX = 2_048;

/** Input that was refused before it became a request. */
export interface Refusal {
  requestId: string;
  status: number;
  message: string;
}

/**
 * Answers requests that Node's parser refuses, in the platform's error form. Calls `onRefused`, unless the app has already started with the
 * request and logs it itself.
 */
export function refuseBadRequests(server: Server, onRefused: (refusal: Refusal) => void): void {
  server.on('clientError', (error: NodeJS.ErrnoException & { rawPacket?: Buffer }, socket: Duplex) => {
    // Uploads have a minimum rate instead. Node reports each request once.
    if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && carriesUpload(socket)) return;
    if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && isUnused(socket)) return keepUnused(socket);
    const answer = answerOn(socket);
    // The bytes follow a complete request, whose answer is then the last one.
    if (answer?.req.complete && !answer.headersSent) answer.shouldKeepAlive = false;
    else if (socket.writable && !isAnswered(socket)) refuse(socket, errorFor(error.code ?? ''), error.rawPacket);
    else socket.destroy();
  });
  server.on('connect', (_, socket) => refuse(socket, methodNotAllowed('CONNECT', ['GET', 'POST'])));
  server.on('checkContinue', (req, res) => {
    continueWhenRead(req, res);
    server.emit('request', req, res);
  });
  // Unknown expectations may be ignored.
  server.on('checkExpectation', (req, res) => server.emit('request', req, res));

  function refuse(socket: Duplex, error: ApiError, packet?: Buffer): void {
    const begunId = answerOn(socket)?.getHeader('x-request-id');
    const requestId = typeof begunId === 'string' ? begunId : newId('req');
    if (requestId !== begunId) onRefused({ requestId, status: error.status, message: error.message });
    const path = answerOn(socket)?.req.url ?? pathIn(packet);
    socket.end(rawAnswer(error, requestId, { ofVoice: path?.startsWith('/voiceapi/') === true }));
    setTimeout(() => socket.destroy(), LINGER_MS).unref();
  }
}

// A pool opens connections in advance: a 408 would answer the request that later uses the connection. Node times that request from its
// first byte.
const isUnused = (socket: Duplex): boolean => (socket as Socket).bytesRead === 0;

/** Keeps a connection without a request as long as an idle one between requests. */
function keepUnused(socket: Duplex): void {
  setTimeout(() => isUnused(socket) && socket.destroy(), KEEP_ALIVE_MS - HEADERS_MS).unref();
}

/**
 * Whether the request that these bytes belong to has its answer already, or a part of it: a second one would be read as that of the next
 * request. A request may be answered before its body has arrived; Node then keeps it as the parser's.
 */
function isAnswered(socket: Duplex): boolean {
  const answer = answerOn(socket);
  const { parser } = socket as { parser?: { incoming: IncomingMessage | null } | null };
  return answer ? answer.headersSent : parser?.incoming?.complete === false;
}

/**
 * Sends `100 Continue` once the body is read, so that a client whose request is refused before does not send it. Node then closes the
 * connection, because the body may come anyway.
 */
function continueWhenRead(req: IncomingMessage, res: ServerResponse): void {
  const read = req._read.bind(req);
  req._read = (bytes) => {
    req._read = read;
    if (!res.headersSent) res.writeContinue();
    read(bytes);
  };
}

function errorFor(code: string): ApiError {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return requestTimeout();
  if (code === 'HPE_HEADER_OVERFLOW') {
    return new ApiError({ status: 431, code: 'headers_too_large', message: 'The request headers are too large.' });
  }
  return invalidRequest('invalid_request', 'The request is not valid HTTP.');
}

/** The path of a request whose line is in the packet that the parser refused. */
const pathIn = (packet: Buffer | undefined): string | undefined =>
  /^[A-Z]+ (\S+) HTTP/.exec(packet?.toString('latin1', 0, LINE_BYTES_MAX) ?? '')?.[1];

function rawAnswer(error: ApiError, requestId: string, { ofVoice }: { ofVoice: boolean }): string {
  const { code, message } = error;
  const text = JSON.stringify({ error: error.body, ...(ofVoice && { detail: { status: code, message } }) });
  const headers = {
    ...error.headers,
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(text),
    'x-request-id': requestId,
    'x-api-version': API_VERSION,
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
    connection: 'close',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return [`HTTP/1.1 ${error.status} ${STATUS_CODES[error.status]}`, ...lines, '', text].join('\r\n');
}
