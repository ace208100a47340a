import { z } from 'zod';
import * as parameter from '../parameters/parameters.ts';
import type { ParsedText } from '../parameters/parameters.ts';
import { invalidValue } from '../../../base/errors/invalidRequest.ts';
import { bodyValidator } from '../parameters/validateBody.ts';

const tokens = z.array(z.int().min(0)).min(1);
const prompt = z
  .union([z.string(), z.array(z.string()).min(1), tokens, z.array(tokens).min(1)])
  .describe(
    'A text, texts, token numbers, or lists of token numbers. Several prompts give one choice each, times `n`. Without one the model begins a document.',
  );

/** Body of `POST /completions`. A member that is not listed reaches the model unchanged. */
export const CompletionsInput = z.looseObject({
  model: parameter.model,
  prompt: prompt.optional(),
  suffix: z.string().optional(),
  max_tokens: z.int().min(0).optional(),
  temperature: parameter.temperature.optional(),
  top_p: parameter.topP.optional(),
  n: parameter.choices.optional(),
  best_of: z.int().min(1).max(20).optional(),
  echo: z.boolean().optional(),
  logprobs: z.int().min(0).max(5).optional(),
  stop: parameter.stop.optional(),
  seed: parameter.seed.optional(),
  presence_penalty: parameter.penalty.optional(),
  frequency_penalty: parameter.penalty.optional(),
  logit_bias: parameter.logitBias.optional(),
  stream: z.boolean().optional(),
  stream_options: parameter.streamOptions.optional(),
  user: z.string().optional(),
});

type Input = z.input<typeof CompletionsInput>;

const validate = bodyValidator(CompletionsInput, []);

/** Checks the body of `POST /completions`; throws `InvalidRequest`. */
export function parseCompletions(body: unknown): ParsedText {
  const input = validate(body);
  parameter.refuseIdleStreamOptions(input);
  refuseImpossibleBestOf(input);
  return {
    model: input.model,
    stream: input.stream === true,
    includeUsage: input.stream_options?.include_usage === true,
    body: input,
    outputTokensMax: input.max_tokens ?? null,
    choices: promptCount(input.prompt) * Math.max(input.n ?? 1, input.best_of ?? 1),
  };
}

/** The best of several is known only when all are complete, and no more can be returned than were generated. */
function refuseImpossibleBestOf({ best_of: bestOf, n, stream }: Input): void {
  if (bestOf === undefined) return;
  if (bestOf < (n ?? 1)) throw invalidValue('best_of', "Invalid 'best_of': it must not be less than 'n'.");
  if (bestOf > 1 && stream === true)
    throw invalidValue('best_of', "The 'best_of' parameter cannot be used in a stream.");
}

/** A list of numbers is one prompt; a list of texts or of lists is one prompt each. */
function promptCount(prompt: Input['prompt'] = ''): number {
  return typeof prompt === 'string' || typeof prompt[0] === 'number' ? 1 : prompt.length;
}
