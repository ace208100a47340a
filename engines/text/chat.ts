import { randomUUID } from 'node:crypto';
import type { LlamaContextSequence } from 'node-llama-cpp';
import { contextLengthExceeded, invalidValue } from '../../rules/protocol/requestError.ts';
import { AnswerReader, type CallDelta } from './callReader.ts';
import type { Engine } from './engine.ts';
import { generate, type FinishReason, type GenerationRequest, inPlace, type Part } from './generation.ts';
import { toolUseOf, type ToolUse } from '../../rules/protocol/toolUse.ts';
import { ANSWER_NAME, answerGrammar, offeredTools, withAnswerCall } from './tools.ts';
import { chatLogprob, type ChatLogprob, type TokenScore } from './scorer.ts';
import { chatPrompt } from './prompt.ts';
import { logitBias } from './sampling.ts';
import {
  type ChatInput,
  type ChatMessage,
  type StreamOptions,
  usageOf,
  usagePlan,
} from '../../rules/protocol/schema.ts';

/** Events of a chat's answer: one start, then for each choice its pieces (one for each token) and its end. */
type ChatEvent =
  | { kind: 'start'; promptTokens: number }
  | { kind: 'piece'; index: number; content: string; calls: CallDelta[]; tokens: 0 | 1; score?: TokenScore }
  | { kind: 'end'; index: number; reason: FinishReason | 'tool_calls' };

// The default limit: a model this small rambles beyond it and occupies a place.
const DEFAULT_MAX_TOKENS = 1024;

// A small model keeps calling tools after it has the information it needs, often unrelated tools. With this bias for each result it
// answers, and still makes the second call of a question that needs two.
const ANSWER_LOGIT_A_RESULT = 2.5;

/**
 * Answers a chat. Every refusal happens before the first event.
 * @throws RequestError 400 for requests beyond the model, 503 `overloaded` when too many wait.
 */
export async function* chatEvents(engine: Engine, input: ChatInput, signal: AbortSignal): AsyncGenerator<ChatEvent> {
  const asked = toolUseOf(input);
  const toolUse = engine.answersByTool ? withAnswerCall(asked, input) : asked;
  const request = await requestOf(engine, input, toolUse);
  const choices = Array.from({ length: input.n ?? 1 }, (_, choiceIndex): Part<ChatEvent> => {
    return async function* (sequence, scorer) {
      if (choiceIndex === 0) yield { kind: 'start', promptTokens: request.prompt.length };
      await scorer?.begin(request.prompt);
      yield* choiceEvents(engine, sequence, { ...request, choiceIndex, ...(scorer && { scorer }) }, toolUse, signal);
    };
  });
  yield* inPlace(engine, topLogprobsOf(input), signal, choices);
}

async function requestOf(engine: Engine, input: ChatInput, toolUse: ToolUse): Promise<GenerationRequest> {
  const grammar = await answerGrammar(engine, input, toolUse);
  const bias = logitBias(engine.model, input.logit_bias);
  if (toolUse.mode === 'calls') engine.preferEnd(bias);
  if (toolUse.mode === 'answerCall')
    engine.preferTool(bias, ANSWER_NAME, ANSWER_LOGIT_A_RESULT * resultsSinceUser(input.messages));
  const isJson = toolUse.mode === 'calls' || (input.response_format?.type ?? 'text') !== 'text';
  const prompt = chatPrompt(engine, input.messages, offeredTools(toolUse));
  const roomTokens = engine.contextTokens - 1 - prompt.length;
  if (roomTokens < 1) throw contextLengthExceeded(prompt.length, engine.contextTokens, 'messages');
  return {
    prompt,
    outputTokensMax: Math.min(input.max_completion_tokens ?? input.max_tokens ?? DEFAULT_MAX_TOKENS, roomTokens),
    sampling: input,
    bias,
    choiceIndex: 0,
    stops: typeof input.stop === 'string' ? [input.stop] : (input.stop ?? []),
    ...(toolUse.mode !== 'text' && { stopExempt: '<tool_call>' }),
    ...(grammar && { grammar }),
    // A plain-text answer is not ended early.
    ...(toolUse.mode !== 'answerCall' && { isJson: (opening: string) => isJson || opening.startsWith('<t') }),
  };
}

/** The number of tool results since the user's last question. */
function resultsSinceUser(messages: ChatMessage[]): number {
  const asked = messages.findLastIndex(({ role }) => role === 'user');
  return messages.slice(asked + 1).filter(({ role }) => role === 'tool' || role === 'function').length;
}

function topLogprobsOf(input: ChatInput): number | undefined {
  if (input.logprobs) return input.top_logprobs ?? 0;
  if (input.top_logprobs) throw invalidValue('top_logprobs', "'top_logprobs' needs 'logprobs' to be true.");
  return undefined;
}

async function* choiceEvents(
  engine: Engine,
  sequence: LlamaContextSequence,
  request: GenerationRequest,
  toolUse: ToolUse,
  signal: AbortSignal,
): AsyncGenerator<ChatEvent> {
  const { choiceIndex: index } = request;
  const reader = new AnswerReader(toolUse.mode);
  const reason = yield* piecesOf(index, reader, generate(engine, sequence, request, signal));
  yield { kind: 'end', index, reason: reason === 'stop' && reader.isCall ? 'tool_calls' : reason };
}

async function* piecesOf(
  index: number,
  reader: AnswerReader,
  pieces: ReturnType<typeof generate>,
): AsyncGenerator<ChatEvent, FinishReason> {
  try {
    for (;;) {
      const { done, value } = await pieces.next();
      if (done) return value;
      const { text, ...rest } = value;
      yield { kind: 'piece', index, ...reader.push(text), ...rest };
      if (reader.repeatsItself) return 'stop';
    }
  } finally {
    await pieces.return('stop');
  }
}

/** The events as one `chat.completion`. */
export async function chatAnswer(engine: Engine, events: AsyncIterable<ChatEvent>) {
  const choices: Choice[] = [];
  let promptTokens = 0;
  let completionTokens = 0;
  for await (const event of events) {
    if (event.kind === 'start') {
      promptTokens = event.promptTokens;
      continue;
    }
    const choice = (choices[event.index] ??= new Choice(engine));
    if (event.kind === 'piece') completionTokens += event.tokens;
    choice.add(event);
  }
  return {
    ...head(engine, 'chat.completion'),
    choices: choices.map((choice, index) => choice.toJson(index)),
    usage: usageOf(promptTokens, completionTokens),
  };
}

/** The events as `chat.completion.chunk`s, one for each token. */
export async function* chatChunks(
  engine: Engine,
  events: AsyncIterable<ChatEvent>,
  options: StreamOptions | null | undefined,
) {
  const { isAsked, isRunning } = usagePlan(options);
  const top = head(engine, 'chat.completion.chunk');
  const opened = new Set<number>();
  let promptTokens = 0;
  let completionTokens = 0;
  const chunk = (index: number, delta: object, logprobs: object | null = null, finish: string | null = null) => ({
    ...top,
    choices: [{ index, delta, logprobs, finish_reason: finish }],
    ...((isAsked || isRunning) && { usage: isRunning ? usageOf(promptTokens, completionTokens) : null }),
  });
  const usageAlone = () => ({ ...top, choices: [], usage: usageOf(promptTokens, completionTokens) });
  for await (const event of events) {
    if (event.kind === 'start') ({ promptTokens } = event);
    if (event.kind === 'piece') completionTokens += event.tokens;
    // Also before the first word, for a client that leaves then.
    if (event.kind === 'start' || isSilent(event)) {
      if (isRunning) yield usageAlone();
      continue;
    }
    const { index } = event;
    if (!opened.has(index)) yield chunk(index, openingOf(event));
    opened.add(index);
    if (event.kind === 'end') yield chunk(index, {}, null, event.reason);
    else yield chunk(index, deltaOf(event), logprobsOf(engine, event));
  }
  if (isAsked) yield usageAlone();
}

type PieceEvent = Extract<ChatEvent, { kind: 'piece' }>;
type SaidEvent = Exclude<ChatEvent, { kind: 'start' }>;

function head({ id: model }: Engine, object: string) {
  const created = Math.floor(Date.now() / 1000);
  return { id: `chatcmpl-${randomUUID()}`, object, created, model, system_fingerprint: null };
}

/** A token that nothing is sent for, other than its running usage. */
function isSilent(event: SaidEvent): boolean {
  return event.kind === 'piece' && event.content === '' && event.calls.length === 0 && !event.score;
}

/** OpenAI sends no text before tool calls, not even an empty one. */
function openingOf(event: SaidEvent): object {
  const beginsWithCall = event.kind === 'piece' && event.content === '' && event.calls.length > 0;
  return { role: 'assistant', content: beginsWithCall ? null : '', refusal: null };
}

function logprobsOf(engine: Engine, { score }: PieceEvent): object | null {
  return score ? { content: [chatLogprob(engine, score)], refusal: null } : null;
}

function deltaOf(event: PieceEvent): object {
  if (event.calls.length > 0) return { tool_calls: event.calls };
  return event.content ? { content: event.content } : {};
}

/** One choice of a whole answer, assembled from its events. */
class Choice {
  readonly #engine: Engine;
  readonly #calls: Array<{ id: string; type: 'function'; function: { name: string; arguments: string } }> = [];
  readonly #logprobs: ChatLogprob[] = [];
  #content = '';
  #reason: string | null = null;

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  add(event: SaidEvent): void {
    if (event.kind === 'end') {
      this.#reason = event.reason;
      return;
    }
    this.#content += event.content;
    for (const call of event.calls) this.#addCall(call);
    if (event.score) this.#logprobs.push(chatLogprob(this.#engine, event.score));
  }

  toJson(index: number) {
    const calls = this.#calls;
    const content = calls.length > 0 && !this.#content ? null : this.#content;
    return {
      index,
      message: { role: 'assistant', content, refusal: null, ...(calls.length > 0 && { tool_calls: calls }) },
      logprobs: this.#logprobs.length > 0 ? { content: this.#logprobs, refusal: null } : null,
      finish_reason: this.#reason,
    };
  }

  #addCall({ index, id, function: { name, arguments: text } }: CallDelta): void {
    if (id && name) this.#calls[index] = { id, type: 'function', function: { name, arguments: '' } };
    this.#calls[index]!.function.arguments += text;
  }
}
