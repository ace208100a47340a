import type { IncomingMessage, ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import type { Json } from '../../providers/provider.ts';
import { answerRehearsal } from './rehearsal.ts';
import { sendError } from '../protocol/replies.ts';
import { listen } from '../scripted/startScripted.ts';

/** Starts the rehearsal model on a loopback port. */
export function startRehearsalUpstream(port: number): Promise<{ url: string }> {
  return listen(port, (request, response) => void answer(request, response));
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  try {
    const body = (await json(request)) as Json;
    await answerRehearsal({ route: `${request.method} ${request.url}`, body }, request.headers, response);
  } catch (error) {
    if (response.headersSent || response.destroyed) response.destroy();
    else sendError(response, error);
  }
}
