import type { LlamaEmbeddingContext, Token } from 'node-llama-cpp';
import type { Engine } from './engine.ts';
import { MODEL_ID } from '../config.ts';
import { contextLengthExceeded, invalidValue } from '../requestError.ts';
import type { EmbeddingInput } from './schema.ts';
import { inPlace, type Part } from './generation.ts';
import { tokenLists } from './prompt.ts';

/**
 * One unit vector for each input.
 * @throws RequestError 400 for an input that is too long or more dimensions than the model has, 503 when too many wait.
 */
export async function embed(engine: Engine, input: EmbeddingInput, signal: AbortSignal) {
  const inputs = tokenLists(engine.model, input.input, 'input');
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
  return {
    object: 'list',
    data: vectors.map((vector, index) => ({
      object: 'embedding',
      index,
      embedding: encode(unitVector(vector.slice(0, dimensions)), input.encoding_format),
    })),
    model: MODEL_ID,
    usage: { prompt_tokens: promptTokens, total_tokens: promptTokens },
  };
}

/**
 * The vector of a text's last token describes the next token, not the text. With this frame, which asks for the text in one word, it
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
  const vectors: number[][] = [];
  for await (const vector of inPlace(engine, undefined, signal, parts)) vectors.push(vector);
  return vectors;
}

async function vectorOf(context: LlamaEmbeddingContext, tokens: Token[]): Promise<number[]> {
  const { vector } = await context.getEmbeddingFor(tokens);
  return [...vector];
}

function unitVector(vector: number[]): number[] {
  const length = Math.hypot(...vector) || 1;
  return vector.map((value) => value / length);
}

function encode(vector: number[], format: EmbeddingInput['encoding_format']): number[] | string {
  if (format !== 'base64') return vector;
  const bytes = Buffer.alloc(vector.length * 4);
  vector.forEach((value, at) => bytes.writeFloatLE(value, at * 4));
  return bytes.toString('base64');
}
