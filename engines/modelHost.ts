import { access } from 'node:fs/promises';
import { createAgentModel, type AgentModel } from './agentModel.ts';
import { type EmbeddedConfig, MODEL_ID } from './config.ts';
import { createSentenceModel, type SentenceModel } from './sentences/sentenceModel.ts';
import { loadEngine } from './text/engine.ts';
import type { Engine } from './text/engine.ts';
import { fetchModel, howToGetModel } from './fetching/fetchModel.ts';
import { createRehearsalModel, type RehearsalModel } from '../rules/rehearsal/rehearsalModel.ts';
import { modelUnavailable } from '../rules/protocol/requestError.ts';

/** Holds the model, or the reason why it is not loaded. */
export class ModelHost {
  readonly #config: EmbeddedConfig;
  /** The second model, for embeddings, independent of the first. */
  readonly sentences: SentenceModel;
  /** The model of agents, independent of the others. */
  readonly agents: AgentModel;
  /** The rule-based model, independent of the others. */
  readonly rehearsal: RehearsalModel;
  #engine: Engine | undefined;
  #isLoading = true;
  #reason = 'The model is being loaded.';

  /** `work`: how the model of agents is fetched. */
  constructor(config: EmbeddedConfig, work?: Parameters<typeof createAgentModel>[1]) {
    this.#config = config;
    this.sentences = createSentenceModel(config);
    this.agents = createAgentModel(config, work);
    this.rehearsal = createRehearsalModel();
  }

  /** Whether the file exists, so that loading takes a moment and no download is needed. */
  async hasFile(): Promise<boolean> {
    return access(this.#config.modelFile).then(
      () => true,
      () => false,
    );
  }

  /** Loads the model, fetching its file first unless the operator configured one. Never throws: the reason is kept for callers. */
  async load(onProgress: (text: string) => void, signal: AbortSignal): Promise<void> {
    const { modelFile, modelFileIsChosen, dataDir } = this.#config;
    try {
      if (modelFileIsChosen && !(await this.hasFile())) throw new Error(howToGetModel(modelFile));
      if (!modelFileIsChosen)
        await fetchModel({ dataDir, onProgress: (text) => onProgress((this.#reason = text)), signal });
      this.#engine = await loadEngine({ ...this.#config, id: MODEL_ID, answersByTool: false });
    } catch (error) {
      this.#reason = (error as Error).message;
      if (!signal.aborted) onProgress(this.#reason);
    } finally {
      this.#isLoading = false;
    }
  }

  /** @throws RequestError 503 `model_unavailable` with instructions to get the model. */
  engine(): Engine {
    if (!this.#engine) throw modelUnavailable(this.#reason);
    return this.#engine;
  }

  /** `unavailable` is final: only a restart can help. */
  health(): {
    status: 'ok' | 'loading' | 'unavailable';
    model: string;
    message?: string;
    running: number;
    waiting: number;
  } {
    const { running = 0, waiting = 0 } = this.#engine?.places ?? {};
    if (this.#engine) return { status: 'ok', model: MODEL_ID, running, waiting };
    return {
      status: this.#isLoading ? 'loading' : 'unavailable',
      model: MODEL_ID,
      message: this.#reason,
      running,
      waiting,
    };
  }

  async close(): Promise<void> {
    await Promise.all([this.#engine?.close(), this.sentences.close(), this.agents.close(), this.rehearsal.close()]);
  }
}
