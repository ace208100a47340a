import { getLlama, LlamaLogLevel, TokenBias } from 'node-llama-cpp';
import type {
  Llama,
  LlamaContext,
  LlamaContextSequence,
  LlamaEmbeddingContext,
  LlamaGrammar,
  LlamaModel,
  Token,
} from 'node-llama-cpp';
import type { EmbeddedConfig } from '../config.ts';
import { Queue } from './queue.ts';
import { RequestError } from '../../rules/protocol/requestError.ts';

// Answers share the threads, so more concurrent ones are not faster; the second place lets a short answer overtake a long one.
const ANSWERS_AT_ONCE = 2;

// A long text is read in steps, and the answers of other calls continue between them. Read at once, a text of 3,800 tokens delayed a
// short answer to six times its duration.
export const STEP_TOKENS = 128;

/** The loaded model and its places. */
export interface Engine {
  /** The model's id in requests and answers. */
  id: string;
  /** Whether a plain-text answer is a tool too, which makes a model of this size decide between tools and words. */
  answersByTool: boolean;
  model: LlamaModel;
  contextTokens: number;
  /** One place for each answer in progress; every computation takes one first. */
  places: Queue<LlamaContextSequence>;
  /** The place that scores answers for their log probabilities: created on first use. */
  scoring(): Promise<Queue<LlamaContextSequence>>;
  embedding(): Promise<LlamaEmbeddingContext>;
  /** @throws RequestError 400 when the engine cannot hold the grammar. */
  grammar(text: string, param: string): Promise<LlamaGrammar>;
  /** A bias that ends JSON: it prefers the ends of texts, lists and objects over everything else. */
  closingBias(): TokenBias;
  /** A bias that ends tool calls: without it the model repeats the same call. */
  preferEnd(bias: TokenBias): void;
  /** A bias towards calling this tool, stronger with higher values. */
  preferTool(bias: TokenBias, name: string, logit: number): void;
  close(): Promise<void>;
}

/** Loads the model file. Nothing is built or downloaded: the engine's binary comes with its npm package. */
export async function loadEngine(
  config: Pick<Engine, 'id' | 'answersByTool'> &
    Pick<EmbeddedConfig, 'modelFile' | 'contextTokens' | 'threads' | 'queueMax'>,
): Promise<Engine> {
  const { id, answersByTool, contextTokens, threads, queueMax } = config;
  const llama = await getLlama({
    gpu: false,
    build: 'never',
    skipDownload: true,
    progressLogs: false,
    logLevel: LlamaLogLevel.error,
    maxThreads: threads,
  });
  const model = await llama.loadModel({ modelPath: config.modelFile });
  const context = await model.createContext({ contextSize: contextTokens, sequences: ANSWERS_AT_ONCE, threads });
  const places = Array.from({ length: ANSWERS_AT_ONCE }, () => context.getSequence());
  return {
    id,
    answersByTool,
    model,
    contextTokens: Math.min(contextTokens, context.contextSize),
    places: new Queue(places, queueMax),
    scoring: once(async () =>
      scoringQueue(await model.createContext({ contextSize: contextTokens, threads }), queueMax),
    ),
    embedding: once(() =>
      model.createEmbeddingContext({ contextSize: contextTokens, threads, batchSize: STEP_TOKENS }),
    ),
    grammar: (text, param) => createGrammar(llama, text, param),
    closingBias: () => closingBias(model),
    preferEnd: (bias) => preferEnd(model, bias),
    preferTool: (bias, name, logit) => singleTokens(model, [name]).forEach((token) => bias.set([token], { logit })),
    close: () => llama.dispose(),
  };
}

function scoringQueue(context: LlamaContext, queueMax: number): Queue<LlamaContextSequence> {
  return new Queue([context.getSequence()], queueMax);
}

/** Runs `make` at the first call only; after a failure the next call retries. */
function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return async () => {
    made ??= make();
    try {
      return await made;
    } catch (error) {
      made = undefined;
      throw error;
    }
  };
}

async function createGrammar(llama: Llama, text: string, param: string): Promise<LlamaGrammar> {
  try {
    return await llama.createGrammar({ grammar: text });
  } catch {
    throw new RequestError(
      400,
      'invalid_json_schema',
      `The schema in '${param}' cannot be guaranteed by this model.`,
      param,
    );
  }
}

function closingBias(model: LlamaModel): TokenBias {
  const bias = TokenBias.for(model);
  // Inside a text a brace is only text, so the quotation mark must be preferred there.
  for (const token of singleTokens(model, ['"'])) bias.set([token], { logit: 80 });
  for (const token of singleTokens(model, ['}', ']', '}}', ']}', 'null', 'false'])) bias.set([token], { logit: 40 });
  return bias;
}

function preferEnd(model: LlamaModel, bias: TokenBias): void {
  bias.set([model.tokens.eos!], { logit: 6 });
  // A token that closes one call and separates it from the next would decide before the bias for the end applies.
  for (const token of singleTokens(model, ['>\n', '>\n\n'])) bias.set([token], { logit: -50 });
}

function singleTokens(model: LlamaModel, texts: string[]): Token[] {
  return texts.map((text) => model.tokenize(text)).flatMap((tokens) => (tokens.length === 1 ? tokens : []));
}
