import { join } from 'node:path';
import { findEngine, type Engine as Fetched } from './fetching/engine.ts';
import { fetchEngine } from './fetching/fetchEngine.ts';
import { qwenCoder } from './fetching/textEngines.ts';
import type { EmbeddedConfig } from './config.ts';
import type { EngineState } from '../providers/fetchedEngines.ts';
import { modelUnavailable } from '../rules/protocol/requestError.ts';
import { loadEngine, type Engine } from './text/engine.ts';

/** The model's id in requests, as the catalogue's upstream name. */
export const AGENT_MODEL_ID = 'qwen2.5-coder-1.5b';

/** The catalogue's limits, for each of two answers. */
const CONTEXT_TOKENS = 8192;

export type AgentModel = ReturnType<typeof createAgentModel>;

type AgentModelConfig = Pick<EmbeddedConfig, 'agentModel' | 'dataDir' | 'threads' | 'queueMax'>;

interface Work {
  onProgress: (text: string) => void;
  /** Ends a fetch: the process stops. */
  signal: AbortSignal;
}

/**
 * The language model of agents beside the small one, which stays loaded. It is fetched when the configuration or an operator asks for it.
 * Once its files are there, the first call loads it and waits for that, also after a restart; before that its calls are refused.
 */
export function createAgentModel(
  { agentModel, dataDir, threads, queueMax }: AgentModelConfig,
  work: Work = { onProgress: () => {}, signal: new AbortController().signal },
) {
  let engine: Engine | undefined;
  let loading: Promise<Engine> | undefined;
  let fetching: { done: Promise<void>; cancel: AbortController } | undefined;
  let progress = { bytes: 0, wholeBytes: qwenCoder.megabytes * 1_000_000 };
  let message: string | null = null;
  let hasFailed = false;

  const isFetched = (): boolean => findEngine(dataDir, qwenCoder) !== undefined;

  function state(): EngineState {
    if (engine) return 'ready';
    if (loading) return 'loading';
    if (fetching) return 'fetching';
    if (hasFailed) return 'failed';
    return isFetched() ? 'fetched' : 'absent';
  }

  const tell = (text: string): void => work.onProgress((message = text));

  /** Loads the fetched files once. */
  function load(folder: string): Promise<Engine> {
    loading ??= loadEngine({
      id: AGENT_MODEL_ID,
      answersByTool: true,
      modelFile: join(folder, fileOf(qwenCoder)),
      contextTokens: CONTEXT_TOKENS,
      threads,
      queueMax,
    })
      .then((loaded) => {
        engine = loaded;
        hasFailed = false;
        tell('The language model Qwen2.5-Coder answers now.');
        return loaded;
      })
      .finally(() => (loading = undefined));
    return loading;
  }

  async function fetchAndLoad(signal: AbortSignal): Promise<void> {
    try {
      const onBytes = (bytes: number, wholeBytes: number): void => void (progress = { bytes, wholeBytes });
      const folder = await fetchEngine(qwenCoder, { dataDir, onProgress: tell, onBytes, signal });
      signal.throwIfAborted();
      await load(folder);
    } catch (error) {
      hasFailed = !signal.aborted;
      message = signal.aborted ? null : (error as Error).message;
      if (message !== null) work.onProgress(message);
    }
  }

  /** Fetches and loads the model, unless it is there. Never throws: a failure is kept for `describe`. */
  function fetch(): Promise<void> {
    if (engine || work.signal.aborted) return Promise.resolve();
    if (fetching) return fetching.done;
    const cancel = new AbortController();
    hasFailed = false;
    progress = { bytes: 0, wholeBytes: progress.wholeBytes };
    message = 'The fetch begins.';
    const done = fetchAndLoad(AbortSignal.any([work.signal, cancel.signal])).finally(() => (fetching = undefined));
    fetching = { done, cancel };
    return done;
  }

  return {
    fetch,
    /** The fetch that the configuration asks for; also waits for one that an operator ordered. */
    async fetchChosen(): Promise<void> {
      await (agentModel === AGENT_MODEL_ID ? fetch() : fetching?.done);
    },
    /** Ends a running fetch and removes its partial files. A model that is there stays. */
    async cancel(): Promise<void> {
      fetching?.cancel.abort();
      await fetching?.done;
    },
    describe: () => ({ state: state(), message, ...progress }),
    /**
     * The model, loaded if its files are there.
     * @throws RequestError 503 `model_unavailable` until they are, and if they cannot be loaded.
     */
    async engine(): Promise<Engine> {
      if (engine) return engine;
      const folder = findEngine(dataDir, qwenCoder);
      if (!folder || fetching) throw modelUnavailable(fetching && message ? message : NOT_FETCHED);
      return load(folder).catch((error: unknown) => {
        throw modelUnavailable((error as Error).message);
      });
    },
    close: async () => engine?.close(),
  };
}

function fileOf({ parts: [part] }: Fetched): string {
  return part?.content?.kind === 'files' ? part.content.files[0]!.name : '';
}

const NOT_FETCHED =
  `The model has not been fetched: an operator does that in the console, under Operate, Models, or ` +
  `EMBEDDED_AGENT_MODEL=${AGENT_MODEL_ID} at the start.`;
