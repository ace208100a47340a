import type { ServerResponse } from 'node:http';
import { RequestError } from './requestError.ts';

export function sendJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}

/** Sends a refusal; any other error is logged, and is a 500 without its text. */
export function sendError(response: ServerResponse, error: unknown): void {
  const known = error instanceof RequestError ? error : new RequestError(500, 'model_failed', 'The model failed.');
  if (known !== error) process.stderr.write(`${Error.isError(error) ? error.stack : String(error)}\n`);
  if (known.status === 503) response.setHeader('retry-after', String(known.retryAfterSeconds));
  sendJson(response, known.status, known.toBody());
}
