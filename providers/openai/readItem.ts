import { isObject } from '../../base/json.ts';
import { ProviderError, type Json } from '../provider.ts';
import { reportedFault } from './faults.ts';

/** More choices or calls than any client requests. */
const INDEX_MAX = 100_000;

/** Members of a message or delta that must be text when present. */
const TEXTS = ['content', 'refusal', 'reasoning', 'reasoning_content', 'text'] as const;

/**
 * Validates the parts of an upstream's answer or chunk that the platform itself reads: choices are objects with integer indexes, their
 * texts are strings, and calls have strings for names and arguments. Null counts as absent. Everything else is forwarded unread, but the
 * reasons for an end are put into OpenAI's words. Throws `ProviderError` (failed) with the fault's name; for a choice with an error, as
 * OpenRouter reports those of its own upstreams, that one.
 */
export function readItem(item: Json): Json {
  const choices = item.choices ?? [];
  if (!Array.isArray(choices)) throw wrong('choices');
  for (const choice of choices) checkChoice(choice);
  return item;
}

/** Throws `ProviderError` (failed) for an answer of another model than one of these, each the beginning of its name. */
export function checkModel({ model }: Json, names: readonly string[] | undefined): void {
  if (!names || model === undefined || model === null) return;
  if (typeof model !== 'string' || !names.some((name) => model.startsWith(name)))
    throw new ProviderError('failed', 'the upstream answered with another model');
}

/** The same for vectors: each is a list, or its bytes as text. */
export function readVectors(data: unknown[]): void {
  for (const entry of data) {
    if (!isObject(entry)) throw wrong('data');
    const { embedding, index } = entry;
    if (typeof embedding !== 'string' && !isNumbers(embedding)) throw wrong('data[].embedding');
    checkIndex(index, 'data[].index');
  }
}

function checkChoice(choice: unknown): void {
  if (!isObject(choice)) throw wrong('choices[]');
  if (choice.error) throw reportedFault(choice);
  const { index, delta, message, logprobs, finish_reason: reason, text } = choice;
  checkIndex(index, 'choices[].index');
  if (reason !== undefined && reason !== null && typeof reason !== 'string') throw wrong('choices[].finish_reason');
  if (reason !== undefined && reason !== null) choice.finish_reason = finishReasonOf(reason);
  if (text !== undefined && text !== null && typeof text !== 'string') throw wrong('choices[].text');
  if (delta !== undefined && delta !== null) checkMessage(delta, { place: 'choices[].delta', isWhole: false });
  if (message !== undefined && message !== null) checkMessage(message, { place: 'choices[].message', isWhole: true });
  if (logprobs !== undefined && logprobs !== null) checkLogprobs(logprobs);
}

const FINISH_REASONS = new Set(['stop', 'length', 'tool_calls', 'content_filter', 'function_call']);

/** What vendors of compatible protocols call them. Without a known meaning an end is one: `eos`, `end_turn`, `stop_sequence`. */
const OTHER_REASONS: Record<string, string> = {
  max_tokens: 'length',
  max_output_tokens: 'length',
  model_length: 'length',
  // The answer is not whole.
  error: 'length',
  abort: 'length',
  insufficient_system_resource: 'length',
  tool_use: 'tool_calls',
  tool_call: 'tool_calls',
  safety: 'content_filter',
  recitation: 'content_filter',
  refusal: 'content_filter',
};

function finishReasonOf(reason: string): string | null {
  if (FINISH_REASONS.has(reason)) return reason;
  // Some upstreams send an empty reason where OpenAI sends null.
  if (reason === '') return null;
  const lower = reason.toLowerCase();
  if (FINISH_REASONS.has(lower)) return lower;
  return Object.hasOwn(OTHER_REASONS, lower) ? OTHER_REASONS[lower]! : 'stop';
}

function checkMessage(message: unknown, { place, isWhole }: { place: string; isWhole: boolean }): void {
  if (!isObject(message)) throw wrong(place);
  for (const name of TEXTS) {
    const value = message[name];
    if (value !== undefined && value !== null && typeof value !== 'string') throw wrong(`${place}.${name}`);
  }
  const calls = message.tool_calls ?? [];
  if (!Array.isArray(calls)) throw wrong(`${place}.tool_calls`);
  for (const call of calls) {
    checkCall(call, `${place}.tool_calls[]`);
    // A fragment of a call may lack a name; a whole call must have one.
    if (isWhole && !isObject((call as Json).function) && !isObject((call as Json).custom))
      throw wrong(`${place}.tool_calls[]`);
  }
}

function checkCall(call: unknown, place: string): void {
  if (!isObject(call)) throw wrong(place);
  checkIndex(call.index, `${place}.index`);
  checkTexts(call, ['id', 'type'], place);
  for (const kind of ['function', 'custom']) {
    const called = call[kind] ?? {};
    if (!isObject(called)) throw wrong(`${place}.${kind}`);
    checkTexts(called, ['name', 'arguments', 'input'], `${place}.${kind}`);
  }
}

function checkTexts(object: Json, names: string[], place: string): void {
  for (const name of names) {
    if (typeof (object[name] ?? '') !== 'string') throw wrong(`${place}.${name}`);
  }
}

/** Only chat choices are checked here; completions have other members. */
function checkLogprobs(logprobs: unknown): void {
  if (!isObject(logprobs)) throw wrong('choices[].logprobs');
  const tokens = logprobs.content ?? [];
  const isToken = (token: unknown) => isObject(token) && isList(token.top_logprobs ?? []);
  if (!Array.isArray(tokens) || !tokens.every(isToken)) throw wrong('choices[].logprobs.content');
}

const isList = (value: unknown) => Array.isArray(value) && value.every(isObject);

const isNumbers = (value: unknown) => Array.isArray(value) && value.every((number) => typeof number === 'number');

function checkIndex(index: unknown, place: string): void {
  if (index === undefined || index === null) return;
  if (!Number.isInteger(index) || (index as number) < 0 || (index as number) > INDEX_MAX) throw wrong(place);
}

const wrong = (place: string) => new ProviderError('failed', `the upstream sent a wrong ${place}`);
