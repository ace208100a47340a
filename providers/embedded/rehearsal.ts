import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import type { Json } from '../provider.ts';
import { rehearsalModelId, rehearse } from '../rehearsal/rehearse.ts';
import { beginCall } from '../scripted/callLog.ts';
import { perform } from '../scripted/perform.ts';

const chatPath = 'chat/completions';

/** Whether a call is for the rehearsal model, which this process offers beside the embedded one and which needs no file. */
export function isRehearsal(path: string, body: unknown): body is Json {
  return path === `POST /v1/${chatPath}` && (body as Json | null)?.model === rehearsalModelId;
}

/** Answers a chat by the rules of the rehearsal model, whole or streamed. */
export async function answerRehearsal(
  body: Json,
  headers: IncomingHttpHeaders,
  response: ServerResponse,
): Promise<void> {
  const call = beginCall(randomUUID(), chatPath, headers);
  call.body = body;
  await perform(response, chatPath, rehearse(body), call);
}
