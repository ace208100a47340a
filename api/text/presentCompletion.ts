import type { Completion, CompletionChoice } from 'openai/resources/completions';
import type { Json, Usage } from '../../providers/provider.ts';
import type { AnswerIdentity } from './identity.ts';
import { presentUsage } from './presentUsage.ts';

/** A whole upstream answer as the client of `completions` expects it, with every member that typed clients require. */
export function presentCompletion(reply: Json, answer: AnswerIdentity & { usage: Usage }): Completion {
  const { choices, system_fingerprint, usage } = reply as Partial<Completion>;
  return {
    id: answer.id,
    object: 'text_completion',
    created: answer.created,
    model: answer.modelId,
    choices: (choices ?? []).map((choice: Partial<CompletionChoice>, position) => ({
      index: choice.index ?? position,
      text: choice.text ?? '',
      logprobs: choice.logprobs ?? null,
      finish_reason: choice.finish_reason ?? 'stop',
    })),
    usage: presentUsage(answer.usage, usage),
    ...(system_fingerprint !== undefined && { system_fingerprint }),
  };
}
