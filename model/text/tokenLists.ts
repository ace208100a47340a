import type { LlamaModel, Token } from 'node-llama-cpp';
import { invalidValue } from '../requestError.ts';

/**
 * The forms in which a route takes its texts (one or several, as text or as token ids), as lists of tokens.
 * @throws RequestError 400 when an id is not in the model's vocabulary.
 */
export function tokenLists(
  model: LlamaModel,
  input: string | string[] | number[] | number[][],
  param: string,
): Token[][] {
  const texts = typeof input === 'string' || typeof input[0] === 'number' ? [input as string | number[]] : input;
  const vocabularySize = model.fileInfo.metadata.tokenizer.ggml.tokens.length;
  return (texts as Array<string | number[]>).map((text) => {
    if (typeof text === 'string') return model.tokenize(text);
    const unknown = text.find((id) => id < 0 || id >= vocabularySize);
    if (unknown !== undefined) throw invalidValue(param, `${unknown} is not a token id of this model.`);
    return text as Token[];
  });
}
