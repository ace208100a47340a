import { join } from 'node:path';
import { fetchEngine } from './fetching/fetchEngine.ts';
import { qwenCoder } from './fetching/textEngines.ts';
import type { EmbeddedConfig } from './config.ts';
import { modelUnavailable } from '../rules/protocol/requestError.ts';
import { loadEngine, type Engine } from './text/engine.ts';

/** The model's id in requests, as the catalogue's upstream name. */
export const AGENT_MODEL_ID = 'qwen2.5-coder-1.5b';

/** The catalogue's limits, for each of two answers. */
const CONTEXT_TOKENS = 8192;

export type AgentModel = ReturnType<typeof createAgentModel>;

type AgentModelConfig = Pick<EmbeddedConfig, 'agentModel' | 'dataDir' | 'threads' | 'queueMax'>;

/** The language model of agents, if the configuration asks for it. Until it is loaded, its calls are refused, and runs try again. */
export function createAgentModel({ agentModel, dataDir, threads, queueMax }: AgentModelConfig) {
  let engine: Engine | undefined;
  let reason = 'The model is being loaded.';

  return {
    /** Fetches and loads the model. Never throws: a missing model is reported. */
    async load(onProgress: (text: string) => void, signal: AbortSignal): Promise<void> {
      if (agentModel !== AGENT_MODEL_ID || signal.aborted) return;
      try {
        const onFetched = (text: string): void => onProgress((reason = text));
        const folder = await fetchEngine(qwenCoder, { dataDir, onProgress: onFetched, signal });
        const [part] = qwenCoder.parts;
        const file = part?.content?.kind === 'files' ? part.content.files[0]!.name : '';
        engine = await loadEngine({
          id: AGENT_MODEL_ID,
          answersByTool: true,
          modelFile: join(folder, file),
          contextTokens: CONTEXT_TOKENS,
          threads,
          queueMax,
        });
        onProgress('Agents use the language model Qwen2.5-Coder now.');
      } catch (error) {
        reason = (error as Error).message;
        if (!signal.aborted) onProgress(reason);
      }
    },
    /**
     * The loaded model.
     * @throws RequestError 503 `model_unavailable` until it is loaded, and if the configuration does not ask for it.
     */
    engine(): Engine {
      if (agentModel !== AGENT_MODEL_ID) throw modelUnavailable(NOT_CHOSEN);
      if (!engine) throw modelUnavailable(reason);
      return engine;
    },
    close: async () => engine?.close(),
  };
}

const NOT_CHOSEN = `The model is not part of this installation: set EMBEDDED_AGENT_MODEL=${AGENT_MODEL_ID}, then start again.`;
