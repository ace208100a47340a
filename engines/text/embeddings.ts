import type { LlamaEmbeddingContext, Token } from 'node-llama-cpp';
import type { Engine } from './engine.ts';
import { MODEL_ID } from '../config.ts';
import { contextLengthExceeded, invalidValue } from '../../rules/protocol/requestError.ts';
import type { EmbeddingInput } from '../../rules/protocol/schema.ts';
import { inPlace, type Part } from './generation.ts';
import { presentEmbeddings } from './presentEmbeddings.ts';
import { tokenLists } from './prompt.ts';

/**
 * One unit vector for each input.
 * @throws RequestError 400 for an input that is too long or more dimensions than the model has, 503 when too many wait.
 */
export async function embed(engine: Engine, input: EmbeddingInput, signal: AbortSignal) {
  const inputs = await tokenLists(engine, input.input, 'input');
  const nativeDimensions = engine.model.embeddingVectorSize;
  const dimensions = input.dimensions ?? nativeDimensions;
  if (dimensions > nativeDimensions) {
    throw invalidValue('dimensions', `This model's embeddings have at most ${nativeDimensions} dimensions.`);
  }
  const frame = frameOf(engine);
  const roomTokens = engine.contextTokens - 1 - frame.before.length - frame.after.length;
  for (const { length } of inputs) if (length > roomTokens) throw contextLengthExceeded(length, roomTokens, 'input');

  const vectors = await vectorsOf(
    engine,
    inputs.map((tokens) => [...frame.before, ...tokens, ...frame.after]),
    signal,
  );
  const promptTokens = inputs.reduce((sum, { length }) => sum + length, 0);
  return presentEmbeddings(vectors, { model: MODEL_ID, dimensions, promptTokens, format: input.encoding_format });
}

/**
 * The vector of a text's last token describes the next token, not the text. This frame requests the text in one word, so the vector
 * describes the meaning. The frame's tokens are not in the usage.
 */
function frameOf({ model }: Engine): { before: Token[]; after: Token[] } {
  return { before: model.tokenize('This sentence: "'), after: model.tokenize('" means in one word: "') };
}

async function vectorsOf(engine: Engine, inputs: Token[][], signal: AbortSignal): Promise<number[][]> {
  const context = await engine.embedding();
  const parts = inputs.map((tokens): Part<number[]> => {
    return async function* () {
      signal.throwIfAborted();
      yield await vectorOf(context, tokens);
    };
  });
  return Array.fromAsync(inPlace(engine, undefined, signal, parts));
}

async function vectorOf(context: LlamaEmbeddingContext, tokens: Token[]): Promise<number[]> {
  const { vector } = await context.getEmbeddingFor(tokens);
  return [...vector];
}
