import type { Catalog, Model } from '../../../db/catalog/catalog.ts';
import type { Held } from '../../../providers/provider.ts';
import type { Context } from '../../context.ts';
import { modelNotFound } from '../../../calls/errors/modelErrors.ts';
import type { Services } from '../../services.ts';
import { InputMeter } from './inputMeter.ts';

const BYTES_A_MS = 48;

/** The catalogue's model by which a session is transcribed. Throws 404 `model_not_found` for a name that the catalogue does not have. */
export function transcriptionModel(catalog: Catalog, name: string): Model {
  const model = catalog.findOfKind(name, 'transcription');
  if (model) return model;
  throw modelNotFound(name, catalog.nearest(name, 'transcription'), 'session.audio.input.transcription.model');
}

/**
 * Bills the sound that a session receives, at the price of the session's model. Where another model than the session's own transcribes it,
 * that one is billed too; in a session that only transcribes, in its place.
 */
export class SoundMeter {
  readonly #own: Model;
  readonly #open: (model: Model) => InputMeter;
  readonly #meters = new Map<Model, InputMeter>();
  #billed: Model[];

  constructor(ctx: Context, services: Services, own: Model, nextRequestId: () => string) {
    this.#own = own;
    this.#open = (model) => new InputMeter(ctx, services, model, nextRequestId);
    this.#billed = [own];
  }

  /**
   * Sets the model that transcribes from now on, which is billed for the `heldMs` of the turn that it will hear too; undefined: none, or the
   * session's own. Resolves when they are paid for.
   */
  async transcribeBy(model: Model | undefined, heldMs: number): Promise<void> {
    const { id, kind, pipeline } = this.#own;
    const other = model?.id === (pipeline?.transcription ?? id) ? undefined : model;
    if (other && heldMs > 0 && !this.#billed.includes(other)) await this.#meterOf(other).take(heldMs);
    const own = kind === 'transcription' && other ? [] : [this.#own];
    this.#billed = other ? [...own, other] : own;
  }

  /** The proof that sound was paid for, once some has come. */
  get held(): Held | undefined {
    return [...this.#meters.values()].find(({ held }) => held)?.held;
  }

  /** As `take`, for 16-bit samples at 24 kHz. */
  takeBytes({ length }: Buffer): Promise<void> | undefined {
    return this.take(length / BYTES_A_MS);
  }

  /** Resolves when so much sound is paid for; rejects where it cannot be. Undefined: it is. */
  take(ms: number): Promise<void> | undefined {
    const waiting = this.#billed.flatMap((model) => this.#meterOf(model).take(ms) ?? []);
    return waiting.length > 0 ? allOf(waiting) : undefined;
  }

  /** Settles what has arrived; resolves when it is settled. */
  async end(): Promise<void> {
    await Promise.all([...this.#meters.values()].map((meter) => meter.end()));
  }

  #meterOf(model: Model): InputMeter {
    const meter = this.#meters.get(model) ?? this.#open(model);
    this.#meters.set(model, meter);
    return meter;
  }
}

async function allOf(waiting: Promise<void>[]): Promise<void> {
  await Promise.all(waiting);
}
