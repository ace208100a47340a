import { randomUUID } from 'node:crypto';
import type { LlamaContextSequence, Token, TokenBias } from 'node-llama-cpp';
import { MODEL_ID } from '../config.ts';
import { contextLengthExceeded, invalidValue } from '../../rules/protocol/requestError.ts';
import type { Engine } from './engine.ts';
import { generate, type FinishReason, type GenerationRequest, inPlace, type Part } from './generation.ts';
import { CompletionLogprobs, type Scorer, type TokenScore } from './scorer.ts';
import { logitBias } from './sampling.ts';
import { type CompletionInput, usageOf, usagePlan, type StreamOptions } from '../../rules/protocol/schema.ts';
import { tokenLists } from './prompt.ts';

/** Events while prompts are completed. An echo includes the prompt's own tokens, the first of which has no score. */
type CompletionEvent =
  | { kind: 'start'; promptTokens: number }
  | { kind: 'echo'; index: number; text: string; prompt: Token[]; scores: TokenScore[] }
  | { kind: 'piece'; index: number; text: string; tokens: 0 | 1; score?: TokenScore }
  | { kind: 'end'; index: number; reason: FinishReason };

// OpenAI's own default for this route.
const DEFAULT_MAX_TOKENS = 16;

/**
 * Completes each prompt `n` times, one after the other.
 * @throws RequestError 400 for requests beyond the model, 503 `overloaded` when too many wait.
 */
export async function* completionEvents(
  engine: Engine,
  input: CompletionInput,
  signal: AbortSignal,
): AsyncGenerator<CompletionEvent> {
  const prompts = await promptsOf(engine, input);
  const bias = logitBias(engine.model, input.logit_bias);
  const choicesPerPrompt = input.n ?? 1;
  const promptTokens = prompts.reduce((sum, prompt) => sum + prompt.length, 0);
  const choices = Array.from({ length: prompts.length * choicesPerPrompt }, (_, index): Part<CompletionEvent> => {
    const prompt = prompts[Math.floor(index / choicesPerPrompt)]!;
    return async function* (sequence, scorer) {
      if (index === 0) yield { kind: 'start', promptTokens };
      if (input.echo) yield await echoOf(engine, index, prompt, scorer);
      const request = { ...requestOf(engine, input, bias, prompt), choiceIndex: index, ...(scorer && { scorer }) };
      yield* choiceEvents(engine, sequence, request, signal);
    };
  });
  yield* inPlace(engine, input.logprobs ?? undefined, signal, choices);
}

async function promptsOf(engine: Engine, input: CompletionInput): Promise<Token[][]> {
  const beginning = engine.model.tokenize('<|endoftext|>', true);
  const lists = await tokenLists(engine, input.prompt ?? '', 'prompt');
  const prompts = lists.map((tokens) => (tokens.length > 0 ? tokens : beginning));
  if (prompts.length * (input.n ?? 1) > 128) throw invalidValue('prompt', 'At most 128 choices are made at once.');
  for (const { length } of prompts) {
    if (length > engine.contextTokens - 2) throw contextLengthExceeded(length, engine.contextTokens, 'prompt');
  }
  return prompts;
}

function requestOf(engine: Engine, input: CompletionInput, bias: TokenBias, prompt: Token[]): GenerationRequest {
  return {
    prompt,
    outputTokensMax: Math.min(input.max_tokens ?? DEFAULT_MAX_TOKENS, engine.contextTokens - 1 - prompt.length),
    sampling: input,
    bias,
    choiceIndex: 0,
    stops: typeof input.stop === 'string' ? [input.stop] : (input.stop ?? []),
  };
}

async function echoOf(
  engine: Engine,
  index: number,
  prompt: Token[],
  scorer: Scorer | undefined,
): Promise<CompletionEvent> {
  const scores = scorer && prompt.length > 1 ? await scorer.whole(prompt) : [];
  return { kind: 'echo', index, text: engine.model.detokenize(prompt), prompt, scores };
}

async function* choiceEvents(
  engine: Engine,
  sequence: LlamaContextSequence,
  request: GenerationRequest,
  signal: AbortSignal,
): AsyncGenerator<CompletionEvent> {
  const index = request.choiceIndex;
  if (request.outputTokensMax === 0) {
    yield { kind: 'end', index, reason: 'length' };
    return;
  }
  await request.scorer?.begin(request.prompt);
  const pieces = generate(engine, sequence, request, signal);
  try {
    let piece = await pieces.next();
    for (; !piece.done; piece = await pieces.next()) yield { kind: 'piece', index, ...piece.value };
    yield { kind: 'end', index, reason: piece.value };
  } finally {
    await pieces.return('stop');
  }
}

/** The events as one `text_completion`. `withLogprobs`: the caller asked for them. */
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
      // Sent before any output, so that a caller who disconnects at once pays for the prompt.
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
