import { once } from 'node:events';
import { type IncomingMessage, request, type ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import type { Json } from '../../providers/provider.ts';
import { modelUnavailable } from '../protocol/requestError.ts';
import { type RulesThread, startRulesThread } from '../rulesThread.ts';

export type RehearsalModel = ReturnType<typeof createRehearsalModel>;

/** The rehearsal model, in a thread that starts with its first call. */
export function createRehearsalModel() {
  let thread: Promise<RulesThread> | undefined;

  return {
    /**
     * Answers a call, whole or streamed.
     * @throws RequestError 503 `model_unavailable` when the thread was ended during the call.
     */
    async answer(path: string, body: Json, response: ServerResponse, signal: AbortSignal): Promise<void> {
      thread ??= startRulesThread('rehearsal');
      const { url } = await thread;
      const answer = await replyOf(`${url}${path}`, body, signal);
      response.writeHead(answer.statusCode!, answer.headers);
      await pipeline(answer, response);
    },
    close: async (): Promise<void> => (await thread)?.stop(),
  };
}

async function replyOf(url: string, body: Json, signal: AbortSignal): Promise<IncomingMessage> {
  const asked = request(url, { method: 'POST', headers: { 'content-type': 'application/json' }, signal });
  asked.end(JSON.stringify(body));
  try {
    const [answer] = (await once(asked, 'response')) as [IncomingMessage];
    return answer;
  } catch (error) {
    if (signal.aborted) throw error;
    throw modelUnavailable('The rehearsal of this call took too long, and was ended.');
  }
}
