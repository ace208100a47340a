import { randomUUID } from 'node:crypto';
import type { CallDelta } from './callReader.ts';
import type { ChatEvent } from './chat.ts';
import { chatLogprob } from './logprobs.ts';
import type { ChatLogprob } from './logprobs.ts';
import type { Engine } from './engine.ts';
import { MODEL_ID } from '../modelFile.ts';
import type { StreamOptions } from './usage.ts';
import { usageOf, usagePlan } from './usage.ts';

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
    ...head('chat.completion'),
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
  const top = head('chat.completion.chunk');
  const opened = new Set<number>();
  let promptTokens = 0;
  let completionTokens = 0;
  const chunk = (index: number, delta: object, logprobs: object | null = null, finish: string | null = null) => ({
    ...top,
    choices: [{ index, delta, logprobs, finish_reason: finish }],
    ...((isAsked || isRunning) && { usage: isRunning ? usageOf(promptTokens, completionTokens) : null }),
  });
  const opening = { role: 'assistant', content: '', refusal: null };
  for await (const event of events) {
    if (event.kind === 'start') ({ promptTokens } = event);
    const index = event.kind === 'start' ? 0 : event.index;
    if (!opened.has(index)) yield chunk(index, opening);
    opened.add(index);
    if (event.kind === 'end') yield chunk(index, {}, null, event.reason);
    if (event.kind !== 'piece') continue;
    completionTokens += event.tokens;
    const logprobs = event.score ? { content: [chatLogprob(engine, event.score)], refusal: null } : null;
    // A token that shows nothing yet is sent only to those who count: its chunk carries the running total.
    if (isRunning || logprobs || hasText(event)) yield chunk(index, deltaOf(event), logprobs);
  }
  if (isAsked) yield { ...top, choices: [], usage: usageOf(promptTokens, completionTokens) };
}

type PieceEvent = Extract<ChatEvent, { kind: 'piece' }>;

function head(object: string) {
  const created = Math.floor(Date.now() / 1000);
  return { id: `chatcmpl-${randomUUID()}`, object, created, model: MODEL_ID, system_fingerprint: null };
}

function hasText(event: PieceEvent): boolean {
  return event.content !== '' || event.calls.length > 0;
}

function deltaOf(event: PieceEvent): object {
  if (event.calls.length > 0) return { tool_calls: event.calls };
  return event.content ? { content: event.content } : {};
}

/** One choice of a whole answer, put together from its events. */
class Choice {
  readonly #engine: Engine;
  readonly #calls: Array<{ id: string; type: 'function'; function: { name: string; arguments: string } }> = [];
  readonly #logprobs: ChatLogprob[] = [];
  #content = '';
  #reason: string | null = null;

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  add(event: Exclude<ChatEvent, { kind: 'start' }>): void {
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
