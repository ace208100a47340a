import { PlainChunk } from '../../../providers/plainChunk.ts';
import type { Json } from '../../../providers/provider.ts';
import type { ErrorBody } from '../../../base/errors/apiError.ts';
import type { AnswerIdentity, StreamEnd, StreamPresenter } from '../presenter.ts';
import { presentUsage } from '../usage.ts';
import { createPlainText } from './plainText.ts';
import { createCallNumbers, knownTier } from './vendorForms.ts';

/** The identity of a streamed answer and what its client requested. `choices` is the requested number of choices. */
export interface StreamedAnswer extends AnswerIdentity {
  choices: number;
  includeUsage: boolean;
}

/** What chat and completion choices have in common; the rest depends on the route. */
interface StreamedChoice {
  index: number;
  finish_reason: string | null;
}

/** Numbers the tool calls of a choice. */
export type NumberCalls = ReturnType<typeof createCallNumbers>;

/** What the form of a choice depends on beside its chunk. */
interface ChoiceState {
  isFirst: boolean;
  numbered: NumberCalls;
}

/**
 * The stream rules that chat and completions share: one id, time and model for the stream, `finish_reason` null until a choice's last
 * chunk, nothing of a choice after it. `form` gives the rest of a choice its route's shape. An answer that is cut short closes every
 * requested choice with `length`, including those not begun.
 */
export function createChoicePresenter<Choice extends StreamedChoice>(
  object: 'chat.completion.chunk' | 'text_completion',
  answer: StreamedAnswer,
  form: (choice: Partial<Choice>, place: StreamedChoice, state: ChoiceState) => Choice,
): StreamPresenter {
  const frames = choiceFrames(object, answer);
  const begun = new Map<number, NumberCalls>();
  const finished = new Set<number>();

  const present = (choice: Partial<Choice>): Choice | null => {
    const index = choice.index ?? 0;
    // Some upstreams send an empty reason where OpenAI sends null.
    const finish_reason = choice.finish_reason || null;
    if (finished.has(index) || (finish_reason === null && begun.has(index) && isSilent(choice))) return null;
    const isFirst = !begun.has(index);
    // What begins a call changes what the next chunk of its shape says.
    const numbered = begun.get(index) ?? createCallNumbers(() => plain.forget());
    begun.set(index, numbered);
    const presented = form(choice, { index, finish_reason }, { isFirst, numbered });
    if (finish_reason !== null) {
      finished.add(index);
      plain.forget();
    }
    return presented;
  };

  let upstreamUsage: unknown;
  // The chunk of the usage has them too.
  const origin: Json = {};
  const noteOrigin = ({ system_fingerprint, service_tier }: Json): void => {
    if (system_fingerprint !== undefined) origin.system_fingerprint = system_fingerprint;
    if (knownTier(service_tier)) origin.service_tier = service_tier;
  };
  const pushChunk = (chunk: Json): string => {
    upstreamUsage = chunk.usage ?? upstreamUsage;
    noteOrigin(chunk);
    const choices = ((chunk.choices ?? []) as Partial<Choice>[]).map(present).filter((choice) => choice !== null);
    // Moderation results of the whole answer belong to no choice.
    return choices.length === 0 && !chunk.moderation ? '' : frames.choices(choices, chunk);
  };
  const plain = createPlainText(pushChunk, noteOrigin);

  const closing = (cutShort: boolean): string => {
    let text = '';
    for (let index = 0; index < answer.choices; index++) {
      if (finished.has(index) || !(cutShort || begun.has(index))) continue;
      text += pushChunk({ choices: [{ index, finish_reason: cutShort ? 'length' : 'stop' }] });
    }
    return text;
  };

  return {
    start: () => '',
    push: (chunks) => {
      let text = '';
      for (const chunk of chunks) text += chunk instanceof PlainChunk ? plain.textOf(chunk) : pushChunk(chunk);
      return text;
    },
    end: (end) => closing(end.cutShort) + frames.usage(end, upstreamUsage, origin) + DONE,
    fail: failFrames,
  };
}

/** A chunk that only carries usage is not forwarded: usage is sent once, at the end. */
function isSilent(choice: object): boolean {
  const { delta, logprobs } = choice as { delta?: object; logprobs?: unknown };
  if (delta === undefined || logprobs) return false;
  for (const name in delta) if (name) return false;
  return true;
}

const DONE = 'data: [DONE]\n\n';

/**
 * The error that ends a stream of a chat or completion, twice: OpenAI's clients raise on a frame without a name that holds one, older ones of
 * them on no other. LangChain4j raises only on the name `error`, and would take the text so far for the whole answer.
 */
export function errorFrames(error: ErrorBody): string {
  const frame = `data: ${JSON.stringify({ error })}\n\n`;
  return `${frame}event: error\n${frame}`;
}

/** The end of a chat or completion stream that fails. */
export const failFrames = (error: ErrorBody): string => `${errorFrames(error)}${DONE}`;

/** The text around the choices is the same in every frame of a stream, so it is built once. */
function choiceFrames(object: string, { id, created, modelId: model, includeUsage }: StreamedAnswer) {
  const head = `data: ${JSON.stringify({ id, object, created, model }).slice(0, -1)}`;
  const tail = includeUsage ? ',"usage":null}\n\n' : '}\n\n';
  return {
    choices: (choices: StreamedChoice[], chunk: Json): string =>
      `${head}${originOf(chunk)},"choices":${JSON.stringify(choices)}${tail}`,
    usage({ usage }: StreamEnd, upstream: unknown, origin: Json): string {
      if (!includeUsage) return '';
      return `${head}${originOf(origin)},"choices":[],"usage":${JSON.stringify(presentUsage(usage, upstream))}}\n\n`;
    },
  };
}

/** Other members of an upstream's chunk that clients may see; most upstreams send none. */
function originOf({ system_fingerprint, service_tier: tier, obfuscation, moderation }: Json): string {
  const service_tier = knownTier(tier);
  if ((system_fingerprint ?? service_tier ?? obfuscation ?? moderation) === undefined) return '';
  return `,${JSON.stringify({ service_tier, system_fingerprint, obfuscation, moderation }).slice(1, -1)}`;
}
