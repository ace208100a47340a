import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { loadOnnx } from '../onnx/onnx.ts';
import { handleInTurn } from '../onnx/onnxThread.ts';
import type { SentenceAnswer, SentenceOrder } from './sentenceModel.ts';
import { createWordPiece } from './wordPiece.ts';

/** A thread that turns texts into embeddings with MiniLM, one after the other. */
const DIMENSIONS = 384;

const port = parentPort!;
const { runtime, folder, tokensMax } = workerData as { runtime: string; folder: string; tokensMax: number };
const ready = load();

handleInTurn(port, answer);

async function answer(order: SentenceOrder): Promise<void> {
  const found = await vectorOf(order).catch((error: unknown): SentenceAnswer => ({ error: String(error) }));
  port.postMessage(found, []);
}

async function load() {
  const onnx = loadOnnx(runtime);
  const session = await onnx.InferenceSession.create(join(folder, 'model.onnx'), { intraOpNumThreads: 1 });
  const file = JSON.parse(readFileSync(join(folder, 'tokenizer.json'), 'utf8')) as {
    model: { vocab: Record<string, number> };
  };
  return { onnx, session, words: createWordPiece(file.model.vocab) };
}

async function vectorOf(order: SentenceOrder): Promise<SentenceAnswer> {
  const { onnx, session, words } = await ready;
  const tokens = typeof order === 'string' ? words.tokensOf(order, tokensMax) : order;
  const strange = tokens.find((id) => id < 0 || id >= words.size);
  if (strange !== undefined) return { unknownToken: strange };
  const ids = words.framed(tokens);
  if (ids.length > tokensMax) return { tooLong: tokens.length, roomTokens: tokensMax - 2 };
  const shape = [1, ids.length];
  const result = await session.run({
    input_ids: new onnx.Tensor('int64', BigInt64Array.from(ids, BigInt), shape),
    attention_mask: new onnx.Tensor('int64', new BigInt64Array(ids.length).fill(1n), shape),
    token_type_ids: new onnx.Tensor('int64', new BigInt64Array(ids.length), shape),
  });
  return { vector: mean(result.last_hidden_state!.data as Float32Array), tokens: tokens.length };
}

/** The mean of the tokens' vectors is the text's. */
function mean(states: Float32Array): number[] {
  const sums = Array.from({ length: DIMENSIONS }, () => 0);
  for (const [at, value] of states.entries()) sums[at % DIMENSIONS]! += value;
  return sums;
}
