import type { LlamaContextSequence } from 'node-llama-cpp';
import { answerGrammar } from './grammar/answerGrammar.ts';
import { AnswerReader } from './answerReader.ts';
import type { CallDelta } from './callReader.ts';
import type { Engine } from './engine.ts';
import { generate } from './generation.ts';
import type { FinishReason, GenerationRequest } from './generation.ts';
import { inPlace, type Part } from './place.ts';
import { chatPrompt } from './prompt.ts';
import { contextLengthExceeded, invalidValue } from '../requestError.ts';
import type { ChatInput } from './schema.ts';
import { logitBias } from './sampling.ts';
import type { TokenScore } from './scorer.ts';
import { toolUseOf } from './tools.ts';
import type { ToolUse } from './tools.ts';

/** What happens while a chat is answered: one start, then for each choice its pieces (one for each token) and its end. */
export type ChatEvent =
  | { kind: 'start'; promptTokens: number }
  | { kind: 'piece'; index: number; content: string; calls: CallDelta[]; tokens: 0 | 1; score?: TokenScore }
  | { kind: 'end'; index: number; reason: FinishReason | 'tool_calls' };

// Where no limit is given. A model this small has said all it has to say long before, and is holding a place.
const DEFAULT_MAX_TOKENS = 1024;

/**
 * Answers a chat. What can be refused is refused before the first event.
 * @throws RequestError 400 for what the model cannot do, 503 `overloaded` when too many wait.
 */
export async function* chatEvents(engine: Engine, input: ChatInput, signal: AbortSignal): AsyncGenerator<ChatEvent> {
  const toolUse = toolUseOf(input);
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
  const isJson = toolUse.mode === 'calls' || (input.response_format?.type ?? 'text') !== 'text';
  const prompt = chatPrompt(engine.model, input.messages, toolUse.tools);
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
    ...(grammar && { grammar, isJson: (opening: string) => isJson || opening.startsWith('<t') }),
  };
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
