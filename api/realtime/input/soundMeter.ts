import type { Catalog, Model } from '../../../db/catalog/catalog.ts';
import type { CallAbort } from '../../../providers/callAbort.ts';
import type { Held } from '../../../providers/provider.ts';
import type { Context } from '../../context.ts';
import { refusalOf } from '../../../calls/funds.ts';
import { modelNotFound } from '../../../calls/errors/modelErrors.ts';
import { ApiError } from '../../../base/errors/apiError.ts';
import type { Services } from '../../services.ts';
import type { SessionStart } from '../session/liveSession.ts';
import { InputMeter } from './inputMeter.ts';

const BYTES_A_MS = 48;
// Refusals of money that the session itself may hold.
const FREED = new Set([
  'balance_held',
  'insufficient_balance',
  'key_spend_limit_reached',
  'project_spend_limit_reached',
]);

/** What is held together with the money for a piece of sound: both or none. */
interface Beside {
  hold: () => Promise<void>;
  leastNanos: bigint;
}

/** The catalogue's model by which a session is transcribed. Throws 404 `model_not_found` for a name that the catalogue does not have. */
export function transcriptionModel(catalog: Catalog, name: string): Model {
  const model = catalog.findOfKind(name, 'transcription');
  if (model) return model;
  throw modelNotFound(name, catalog.nearest(name, 'transcription'), 'session.audio.input.transcription.model');
}

/**
 * Bills the sound that a session receives, at the price of the session's model. Where another model than the session's own transcribes it,
 * that one is billed too; in a session that only transcribes, in its place. With `endTurn`, a model that only transcribes is billed by turns,
 * each when it is written down: `endTurn` ends the one that lasts where it can, and resolves when all are written down or have failed, so that
 * the money they do not use is free.
 */
export class SoundMeter {
  readonly #own: Model;
  readonly #open: (model: Model) => InputMeter;
  readonly #endTurn: (() => Promise<void>) | undefined;
  readonly #meters = new Map<Model, InputMeter>();
  #billed: Model[];
  #opening: Promise<void> | undefined;
  readonly #ctx: Context;
  readonly #services: Services;

  constructor(
    start: Pick<SessionStart, 'ctx' | 'services' | 'model'>,
    nextRequestId: () => string,
    endTurn?: () => Promise<void>,
  ) {
    const { ctx, services, model: own } = start;
    this.#own = own;
    this.#ctx = ctx;
    this.#services = services;
    this.#endTurn = endTurn;
    this.#open = (model) => new InputMeter(ctx, services, model, { nextRequestId, isByTurn: this.#isByTurn(model) });
    this.#billed = [own];
  }

  /**
   * Sets the model that transcribes from now on, which is billed for the `heldMs` of the turn that it will hear too; undefined: none, or the
   * session's own. Resolves when they are paid for.
   */
  async transcribeBy(model: Model | undefined, heldMs: number): Promise<void> {
    const { id, kind, pipeline } = this.#own;
    const other = model?.id === (pipeline?.transcription ?? id) ? undefined : model;
    if (other && heldMs > 0 && !this.#billed.includes(other)) await this.#take([other], heldMs);
    const own = kind === 'transcription' && other ? [] : [this.#own];
    this.#billed = other ? [...own, other] : own;
  }

  /** The proof that sound was paid for, once some has come. */
  get held(): Held | undefined {
    return [...this.#meters.values()].find(({ held }) => held)?.held;
  }

  /** As `take`, for 16-bit samples at 24 kHz. */
  takeBytes(...sounds: Buffer[]): Promise<void> | undefined {
    return this.take(sounds.reduce((sum, { length }) => sum + length, 0) / BYTES_A_MS);
  }

  /** Resolves when so much sound is paid for; rejects where it cannot be: then nothing of it is billed. Undefined: it is. */
  take(ms: number, beside?: Beside): Promise<void> | undefined {
    return this.#take(this.#billed, ms, beside);
  }

  #take(models: Model[], ms: number, beside?: Beside): Promise<void> | undefined {
    // Sound of the conversation and of a response may come at once: the money of one is held at a time.
    if (this.#opening) return this.#opening.catch(() => {}).then(() => this.#take(models, ms, beside));
    const meters = models.map((model) => this.#meterOf(model));
    if (!beside && meters.every((meter) => meter.hasRoom(ms))) {
      for (const meter of meters) meter.take(ms);
      return undefined;
    }
    this.#opening = this.#takeWhole(meters, ms, beside).finally(() => (this.#opening = undefined));
    return this.#opening;
  }

  async #takeWhole(meters: InputMeter[], ms: number, beside?: Beside): Promise<void> {
    const hold = async (): Promise<void> => {
      for (const meter of meters) await meter.open(ms);
      await beside?.hold();
    };
    try {
      await hold();
    } catch (error) {
      await this.#free(error);
      const nanos = meters.reduce((sum, meter) => sum + meter.nanosOf(ms), beside?.leastNanos ?? 0n);
      const refusal = await refusalOf(this.#ctx.state, this.#services, nanos);
      if (refusal.status === 402) throw refusal;
      await hold();
    }
    for (const meter of meters) meter.take(ms);
  }

  /** Ends the own windows, which may hold more than is used of them, if that is why no money was free; else throws the error. */
  async #free(error: unknown): Promise<void> {
    if (!(error instanceof ApiError) || !FREED.has(error.code)) throw error;
    if (this.#billed.some((model) => this.#isByTurn(model))) await this.#endTurn!();
    await this.end();
    await this.#services.db.ledger.posted();
  }

  /** Settles what has arrived; resolves when it is settled. */
  async end(): Promise<void> {
    await Promise.all([...this.#meters.values()].map((meter) => meter.end()));
  }

  /**
   * Ends a turn, and returns how it is written down: then its sound is billed. Where that fails it is not, unless the client has left.
   */
  turn(abort: CallAbort, write: () => Promise<void>): () => Promise<void> {
    const sounds = [...this.#meters.values()].map((meter) => meter.cut());
    return async () => {
      try {
        await write();
      } catch (error) {
        if (!abort.aborted) for (const sound of sounds) sound.forgive(error);
        throw error;
      } finally {
        for (const sound of sounds) sound.bill();
      }
    };
  }

  /** Sound that is thrown away is billed. */
  dropTurn(): void {
    for (const meter of this.#meters.values()) meter.cut().bill();
  }

  /** Sound that begins no turn is billed as it fills its windows. */
  billSilence(): void {
    for (const meter of this.#meters.values()) meter.billFull();
  }

  #isByTurn({ kind }: Model): boolean {
    return this.#endTurn !== undefined && kind === 'transcription';
  }

  #meterOf(model: Model): InputMeter {
    const meter = this.#meters.get(model) ?? this.#open(model);
    this.#meters.set(model, meter);
    return meter;
  }
}
