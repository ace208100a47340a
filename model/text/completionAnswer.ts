import { randomUUID } from 'node:crypto';
import type { CompletionEvent } from './completions.ts';
import type { Engine } from './engine.ts';
import { CompletionLogprobs } from './logprobs.ts';
import { MODEL_ID } from '../modelFile.ts';
import { usageOf, usagePlan } from './usage.ts';
import type { StreamOptions } from './usage.ts';

/** The events as one `text_completion`. `withLogprobs` tells whether the caller asked for them. */
export async function completionAnswer(engine: Engine, events: AsyncIterable<CompletionEvent>, withLogprobs: boolean) {
  const choices: Array<{ text: string; logprobs: CompletionLogprobs; reason: string | null }> = [];
  let promptTokens = 0;
  let completionTokens = 0;
  for await (const event of events) {
    if (event.kind === 'start') {
      promptTokens = event.promptTokens;
      continue;
    }
    const choice = (choices[event.index] ??= { text: '', logprobs: new CompletionLogprobs(), reason: null });
    if (event.kind === 'end') {
      choice.reason = event.reason;
      continue;
    }
    choice.text += event.text;
    addLogprobs(engine, choice.logprobs, event);
    if (event.kind === 'piece') completionTokens += event.tokens;
  }
  return {
    ...head(),
    choices: choices.map(({ text, logprobs, reason }, index) => ({
      index,
      text,
      logprobs: withLogprobs ? logprobs : null,
      finish_reason: reason,
    })),
    usage: usageOf(promptTokens, completionTokens),
  };
}

/** The events as a stream's chunks, one for each token. */
export async function* completionChunks(
  engine: Engine,
  events: AsyncIterable<CompletionEvent>,
  withLogprobs: boolean,
  options: StreamOptions | null | undefined,
) {
  const { isAsked, isRunning } = usagePlan(options);
  const top = head();
  const offsets: number[] = [];
  let promptTokens = 0;
  let completionTokens = 0;
  const chunk = (index: number, text: string, logprobs: CompletionLogprobs | null, finish: string | null) => ({
    ...top,
    choices: [{ index, text, logprobs, finish_reason: finish }],
    ...((isAsked || isRunning) && { usage: isRunning ? usageOf(promptTokens, completionTokens) : null }),
  });
  for await (const event of events) {
    if (event.kind === 'start') {
      ({ promptTokens } = event);
      // Sent before any output, so that the prompt is on the bill of a caller who leaves at once.
      if (isRunning) yield chunk(0, '', null, null);
      continue;
    }
    if (event.kind === 'end') {
      yield chunk(event.index, '', null, event.reason);
      continue;
    }
    if (event.kind === 'piece') completionTokens += event.tokens;
    const logprobs = new CompletionLogprobs(offsets[event.index]);
    addLogprobs(engine, logprobs, event);
    offsets[event.index] = logprobs.offset;
    if (event.text || isRunning || withLogprobs)
      yield chunk(event.index, event.text, withLogprobs ? logprobs : null, null);
  }
  if (isAsked) yield { ...top, choices: [], usage: usageOf(promptTokens, completionTokens) };
}

function head() {
  const created = Math.floor(Date.now() / 1000);
  return { id: `cmpl-${randomUUID()}`, object: 'text_completion', created, model: MODEL_ID };
}

function addLogprobs(
  engine: Engine,
  logprobs: CompletionLogprobs,
  event: Extract<CompletionEvent, { kind: 'piece' | 'echo' }>,
): void {
  if (event.kind === 'echo') {
    event.prompt.forEach((token, at) => logprobs.add(engine, token, at > 0 ? event.scores[at - 1] : undefined));
  } else if (event.score) {
    logprobs.add(engine, event.score.token, event.score);
  }
}
