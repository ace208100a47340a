import { holdsResultFiles } from '../../base/resultFiles.ts';
import type { Json } from '../../providers/provider.ts';

/** The behaviour of the scripted upstream in one call. An empty script is a correct upstream with a fixed sentence. */
export interface Script {
  /**
   * Its behaviour in each turn of a conversation, by the number of its answers since the last user message, which may only have told it to
   * continue. The last one repeats.
   */
  turns?: Script[];
  /** The text of the answer. */
  text?: string;
  /** Its reasoning before the answer, as `reasoning_content` or under another name. */
  reasoning?: string;
  reasoningName?: 'reasoning_content' | 'reasoning';
  /** A call of a custom tool has its input as `arguments`. */
  toolCalls?: { name: string; arguments: string; isCustom?: boolean }[];
  finishReason?: string;
  /** Number of chunks for the text. Default: one token a chunk. */
  chunks?: number;
  /** Wait before the head of the answer. */
  headDelayMs?: number;
  /** Wait before each chunk. */
  delayMs?: number;
  /** Reported instead of the actual usage; `null` leaves usage out. */
  usage?: unknown;
  /** The usage so far on every chunk, as some upstreams report it. */
  continuousUsage?: boolean;
  /** Sent as the whole answer, or as a stream's first chunk, instead of the correct one. */
  raw?: unknown;
  /** Answer with this status and an error body. */
  status?: number;
  /** Members of that error body. */
  error?: Json;
  retryAfter?: string;
  retryAfterMs?: number;
  fault?: Fault;
  /** Chunks sent before a fault shows in a stream. Default 2. */
  faultAfterChunks?: number;
}

/**
 * `malformed`: truncated JSON; `stall`: silence until the caller disconnects, before the head if `faultAfterChunks` is 0; `byByte`: one
 * byte per write; `halfClose`: the socket's sending side closes during the answer; `endEarly`: a well-formed body without the last chunks;
 * `reset`: the socket is destroyed; `endless`: the text repeats without end; `errorFrame`: an error with status 200; `noStream`: JSON for a
 * streamed request; `noDone`: all chunks, but not the final `[DONE]`.
 */
export type Fault =
  | 'malformed'
  | 'stall'
  | 'byByte'
  | 'halfClose'
  | 'endEarly'
  | 'reset'
  | 'endless'
  | 'errorFrame'
  | 'noStream'
  | 'noDone';

/** Scripts that a model's id selects by the part after its last `:`, as in `scripted:stall`. */
const NAMED_SCRIPTS: Record<string, Script> = {
  'error-500': { status: 500 },
  'error-429': { status: 429, retryAfter: '7' },
  'error-400': { status: 400, error: { message: 'The prompt is too long.', param: 'messages', code: 'too_long' } },
  malformed: { fault: 'malformed' },
  stall: { fault: 'stall' },
  'stall-head': { fault: 'stall', faultAfterChunks: 0 },
  'by-byte': { fault: 'byByte' },
  'half-close': { fault: 'halfClose' },
  'end-early': { fault: 'endEarly' },
  reset: { fault: 'reset' },
  endless: { fault: 'endless', delayMs: 5 },
  'error-frame': { fault: 'errorFrame' },
  'no-stream': { fault: 'noStream' },
  'no-done': { fault: 'noDone' },
  'wrong-usage': { usage: { prompt_tokens: -5, completion_tokens: '12', total_tokens: 1e300 } },
  'no-usage': { usage: null },
};

/**
 * The script of one call. Later sources override earlier ones: `standing` (set for the whole server), the model's suffix, and a last user
 * message (or prompt, or input) that is JSON of the form `{"scripted": {…}}`.
 */
export function scriptOf(body: Json, standing: Script): Script {
  const suffix = String(body.model).split(':').at(-1) ?? '';
  const named = Object.hasOwn(NAMED_SCRIPTS, suffix) ? NAMED_SCRIPTS[suffix] : undefined;
  const asked = withoutGoingOn(body);
  if (isSummaryAsked(body)) return { ...standing, ...named, text: `[${answersIn(asked)} answers] All is well.` };
  const { turns, ...script } = { ...standing, ...named, ...directiveIn(lastText(withoutSummary(asked))) };
  return { ...script, ...turns?.[Math.min(answersIn(asked), turns.length - 1)] };
}

const without = (body: Json, start: string): Json => {
  if (!Array.isArray(body.messages)) return body;
  const isOther = ({ role, content }: Json) => role !== 'user' || !String(content).startsWith(start);
  return { ...body, messages: (body.messages as Json[]).filter(isOther) };
};

/** Without the messages that ask for the rest of an answer, if the question has a turn for it. */
function withoutGoingOn(body: Json): Json {
  const asked = without(body, 'Continue exactly');
  return directiveIn(lastText(withoutSummary(asked)))?.turns ? asked : body;
}

const REPLACED = 'Earlier messages of this task';
const SUMMARIZE = 'Summarize this task';

/** Without what replaces the beginning of a long conversation. */
const withoutSummary = (body: Json): Json => without(body, REPLACED);

const isSummaryAsked = (body: Json): boolean => String(lastText(body)).startsWith(SUMMARIZE);

/** The number of the model's answers since the last user message, with those that a summary replaces: it names their number. */
function answersIn(body: Json): number {
  if (!Array.isArray(body.messages)) return 0;
  const messages = without(withoutSummary(body), SUMMARIZE).messages as Json[];
  const answers = messages.slice(questionIndexIn(messages)).filter(({ role }) => role === 'assistant').length;
  const summary = (body.messages as Json[]).find(({ content }) => String(content).startsWith(REPLACED));
  return answers + Number(/\[(\d+) answers\]/.exec(String(summary?.content))?.[1] ?? 0);
}

/** The index of the last question. The files of tool results are none. */
export const questionIndexIn = (messages: Json[]): number =>
  messages.findLastIndex(({ role }, at) => role === 'user' && !holdsResultFiles(messages, at));

function lastText(body: Json): unknown {
  if (!Array.isArray(body.messages)) return body.prompt ?? body.input;
  const messages = body.messages as Json[];
  const message = messages[questionIndexIn(messages)];
  if (!Array.isArray(message?.content)) return message?.content;
  return (message.content as Json[]).findLast(({ text }) => typeof text === 'string')?.text;
}

function directiveIn(text: unknown): Script | undefined {
  if (typeof text !== 'string' || !text.startsWith('{"scripted"')) return undefined;
  return (JSON.parse(text) as { scripted: Script }).scripted;
}
