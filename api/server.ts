import type { Server, ServerOptions } from 'node:http';
import type { Duplex } from 'node:stream';
import { newId } from '../db/ids.ts';
import { ApiError, invalidRequest, requestTimeout } from './errors.ts';

/** Limits of time and size for what arrives. A request's own work may take as long as it takes. */
export const serverLimits: ServerOptions = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  connectionsCheckingInterval: 1_000,
  keepAliveTimeout: 65_000,
  maxHeaderSize: 16 * 1024,
};

/** Answers what Node's parser refuses before the app sees it, in the platform's error form. */
export function refuseBadRequests(server: Server): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
    if (error.code === 'ECONNRESET' || !socket.writable) return socket.destroy();
    socket.end(rawAnswer(errorFor(error.code ?? '')));
  });
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
  return [
    `HTTP/1.1 ${error.status} Refused`,
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(text)}`,
    `x-request-id: ${newId('req')}`,
    'connection: close',
    '',
    text,
  ].join('\r\n');
}
