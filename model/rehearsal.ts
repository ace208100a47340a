import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import type { Json } from '../providers/provider.ts';
import { REHEARSAL_MODEL_ID, rehearse } from './rehearsal/rehearse.ts';
import { beginCall } from './scripted/callLog.ts';
import { perform } from './scripted/perform.ts';
import { invalidValue, unsupportedParameter } from './requestError.ts';
import { checkReadable } from './text/prompt.ts';
import { ChatInput, parseInput } from './text/schema.ts';
import { toolUseOf } from './text/tools.ts';

const CHAT_PATH = 'chat/completions';

/** Whether a call is for the rehearsal model, which this process offers beside the embedded one and which needs no file. */
export function isRehearsal(body: unknown): body is Json {
  return (body as Json | null)?.model === REHEARSAL_MODEL_ID;
}

/**
 * Answers a chat by the rules of the rehearsal model, whole or streamed.
 * @throws RequestError 400 for another route, and for what rules can't do.
 */
export async function answerRehearsal(
  { route, body }: { route: string; body: Json },
  headers: IncomingHttpHeaders,
  response: ServerResponse,
): Promise<void> {
  if (route !== `POST /v1/${CHAT_PATH}`) throw invalidValue('model', 'This model answers chats alone.');
  const input = parseInput(ChatInput, body);
  refuseWhatRulesCannot(input);
  const call = beginCall(randomUUID(), CHAT_PATH, headers);
  call.body = body;
  await perform(response, CHAT_PATH, rehearse({ ...body, ...allowedBy(input) }), call);
}

/** The tools that may be called, and whether one must be: a choice among some of them is one among all that are left. */
function allowedBy(input: ChatInput): Json {
  const { tools, mode } = toolUseOf(input);
  const choice = input.tool_choice;
  const isNamed = typeof choice === 'object' && choice?.type === 'function';
  return { tools, tool_choice: isNamed ? choice : mode === 'calls' ? 'required' : 'auto' };
}

/** How an answer is drawn (temperature, seed, penalties) makes no difference to rules; what it looks like would. */
function refuseWhatRulesCannot(input: ChatInput): void {
  checkReadable(input.messages);
  if (input.logprobs) throw unsupportedParameter('logprobs', RULES);
  if (Object.keys(input.logit_bias ?? {}).length > 0) throw unsupportedParameter('logit_bias', RULES);
}

const RULES = 'rules stand in for a language model here';
