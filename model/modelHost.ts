import { access } from 'node:fs/promises';
import { type EmbeddedConfig, MODEL_ID } from './config.ts';
import { loadEngine } from './text/engine.ts';
import type { Engine } from './text/engine.ts';
import { fetchModel, howToGetModel } from './fetchModel.ts';
import { modelUnavailable } from './requestError.ts';

/** Holds the model, and while it is not there knows why. */
export class ModelHost {
  readonly #config: EmbeddedConfig;
  #engine: Engine | undefined;
  #isLoading = true;
  #reason = 'The model is being loaded.';

  constructor(config: EmbeddedConfig) {
    this.#config = config;
  }

  /** Whether the file is in place, so that loading it takes a moment rather than a download. */
  async hasFile(): Promise<boolean> {
    return access(this.#config.modelFile).then(
      () => true,
      () => false,
    );
  }

  /** Loads the model, fetching its file first unless the operator named one. Never throws: the reason is kept for callers. */
  async load(onProgress: (text: string) => void, signal: AbortSignal): Promise<void> {
    const { modelFile, modelFileIsChosen, dataDir } = this.#config;
    try {
      if (modelFileIsChosen && !(await this.hasFile())) throw new Error(howToGetModel(modelFile));
      if (!modelFileIsChosen)
        await fetchModel({ dataDir, onProgress: (text) => onProgress((this.#reason = text)), signal });
      this.#engine = await loadEngine(this.#config);
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

  /** `unavailable` is for good: only another start can help. */
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
    await this.#engine?.close();
  }
}
