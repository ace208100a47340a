import type { Worker } from 'node:worker_threads';
import { createPlaces, PlacesFull } from '../../base/places.ts';
import { findEngine } from '../fetching/engine.ts';
import { onnxRuntime } from '../fetching/engineList.ts';
import { endOnnxThread, startOnnxThread } from '../onnx/onnxThread.ts';
import { miniLm } from '../fetching/textEngines.ts';
import {
  contextLengthExceeded,
  invalidValue,
  modelUnavailable,
  overloaded,
} from '../../rules/protocol/requestError.ts';
import { presentEmbeddings } from '../text/presentEmbeddings.ts';
import type { EmbeddingInput } from '../../rules/protocol/schema.ts';

/** The model's id in requests. */
export const SENTENCE_MODEL_ID = 'all-minilm-l6-v2';

const DIMENSIONS = 384;
const TOKENS_MAX = 512;
const TEXT_MS = 10;

/** A text, or its tokens. */
export type SentenceOrder = string | number[];

export type SentenceAnswer =
  | { vector: number[]; tokens: number }
  | { unknownToken: number }
  | { tooLong: number; roomTokens: number }
  | { error: string };

export type SentenceModel = ReturnType<typeof createSentenceModel>;

/**
 * Embeddings by MiniLM, once it has been fetched, in its own thread that starts with the first text. Texts of several calls take turns.
 * While it is missing nothing replaces it, because embeddings of different models cannot be compared.
 */
export function createSentenceModel({
  dataDir,
  isNeural,
  queueMax,
}: {
  dataDir: string;
  isNeural: boolean;
  queueMax: number;
}) {
  const places = createPlaces({ atOnce: 1, waitingMax: queueMax });
  let thread: Worker | undefined;

  function start(): Worker {
    const [runtime, folder] = [onnxRuntime, miniLm].map((engine) =>
      isNeural ? findEngine(dataDir, engine) : undefined,
    );
    if (!runtime || !folder) throw modelUnavailable(isNeural ? IS_MISSING : IS_OFF);
    const script = new URL('./sentenceWorker.ts', import.meta.url);
    const worker = startOnnxThread(script, { runtime, folder, tokensMax: TOKENS_MAX });
    worker.on('error', () => undefined).once('exit', () => (thread = undefined));
    worker.unref();
    return worker;
  }

  function ask(order: SentenceOrder): Promise<SentenceAnswer> {
    const worker = (thread ??= start());
    return new Promise((resolve, reject) => {
      const onExit = () => reject(new Error('the thread of the embeddings ended'));
      worker.ref();
      worker.once('exit', onExit).once('message', (answer: SentenceAnswer) => {
        worker.off('exit', onExit).unref();
        resolve(answer);
      });
      worker.postMessage(order, []);
    });
  }

  async function vectorOf(order: SentenceOrder, signal: AbortSignal) {
    const leave = await places.take({ signal }).catch((error: unknown) => {
      throw error instanceof PlacesFull ? overloaded(queueMax * TEXT_MS) : error;
    });
    const answer = await ask(order).finally(leave);
    if ('error' in answer) throw new Error(answer.error);
    if ('unknownToken' in answer)
      throw invalidValue('input', `${answer.unknownToken} is not a token id of this model.`);
    if ('tooLong' in answer) throw contextLengthExceeded(`at least ${answer.tooLong}`, answer.roomTokens, 'input');
    return answer;
  }

  /**
   * One unit vector for each input.
   * @throws RequestError 400 for an input that is too long or more dimensions than the model has, 503 when too many wait or it is
   * missing.
   */
  async function embed(input: EmbeddingInput, signal: AbortSignal) {
    const dimensions = input.dimensions ?? DIMENSIONS;
    if (dimensions > DIMENSIONS)
      throw invalidValue('dimensions', `This model's embeddings have at most ${DIMENSIONS} dimensions.`);
    const { input: texts } = input;
    const orders = (typeof texts === 'string' || typeof texts[0] === 'number' ? [texts] : texts) as SentenceOrder[];
    const vectors: number[][] = [];
    let promptTokens = 0;
    for (const order of orders) {
      const { vector, tokens } = await vectorOf(order, signal);
      vectors.push(vector);
      promptTokens += tokens;
    }
    return presentEmbeddings(vectors, {
      model: SENTENCE_MODEL_ID,
      dimensions,
      promptTokens,
      format: input.encoding_format,
    });
  }

  return { embed, close: async () => thread && endOnnxThread(thread) };
}

const IS_MISSING =
  'This embedding model is not on this machine yet: it is fetched in the background. Try again in a minute.';
const IS_OFF = 'This embedding model is not on this machine, because EMBEDDED_ENGINES is basic.';
