import type { Model } from '../../../db/catalog/catalog.ts';
import type { Hold } from '../../../db/ledger/ledger.ts';
import { costNanosOf, divideUp, usdOf, PICOS_PER_NANO, type Quantities } from '../../../db/money.ts';
import { isObject } from '../../../base/json.ts';
import { waitAtMost } from '../../../base/waiting.ts';
import type { CallAbort } from '../../../providers/callAbort.ts';
import { noteImplausibleUsage } from '../../../providers/metering/implausibleUsage.ts';
import { readUsage, TOLERANCE } from '../../../providers/metering/readUsage.ts';
import { ProviderError, type Json, type Usage } from '../../../providers/provider.ts';
import type { ErrorBody } from '../../../base/errors/apiError.ts';
import type { Outcome } from '../../../calls/delivery.ts';
import type { SocketCall } from '../../sockets/socketCall.ts';
import type { Price, Reserved } from '../../../calls/reserve.ts';
import type { Emit } from '../session/outputItems.ts';

// The output that a hold covers at first, and grows by; near the last cent it starts with less.
const STEP = { tokens: 512, characters: 1_000 };
const SMALL_STEP = { tokens: 32, characters: 50 };
// A sixteenth of a step is kept in reserve: the hold grows before it is used up.
const RESERVE_PART = 16n;
// Until the upstream reports its usage: what its models need for a text, and for a second of sound.
const CHARACTERS_A_TOKEN = 4;
const SOUND_MS_A_TOKEN = 50;
/** Of sound in the one format. */
export const BASE64_CHARACTERS_A_MS = 64;
// How long an upstream may take to end a cancelled response, and to report its usage.
const CANCEL_WAIT_MS = 2_000;

type Step = typeof STEP;

/** What has passed of a response. */
interface Passed {
  readonly textCharacters: number;
  readonly spokenCharacters: number;
  readonly soundMs: number;
}

/** Where a response comes from, and goes to. */
interface PassedOrder {
  /** The model at the price of the response's start. */
  model: Model;
  startedAtMs: number;
  /** The catalogue's name of the upstream. */
  upstream: string;
  emit: Emit;
  /** Asks the upstream to end it. */
  cancelAtUpstream: () => void;
  /** A high estimate. */
  promptTokens: number;
}

// What a prompt holds beside what was sent: instructions that the upstream writes itself, tools.
export const PROMPT_RESERVE_TOKENS = 1_000;
// What a model may write that does not pass: reasoning.
const HIDDEN_TOKENS = 1_000;

/** What a response of a model reserves, with a prompt of so many tokens. */
export function priceOfPassed({ rates }: Model, promptTokens: number): Price {
  const nanosOf = ({ tokens, characters }: Step) =>
    divideUp(
      BigInt(tokens) * (rates.output_tokens ?? 0n) +
        BigInt(characters) * (rates.output_characters ?? 0n) +
        BigInt(promptTokens) * (rates.input_tokens ?? 0n),
      PICOS_PER_NANO,
    );
  return {
    wholeNanos: nanosOf(STEP),
    stepNanos: nanosOf(SMALL_STEP),
    leastNanos: nanosOf({ tokens: 1, characters: 1 }),
  };
}

/**
 * A response that an upstream makes, as a paid call: running -> done | failed. Billed by the usage that the upstream reports, and the
 * characters of the spoken text; by what has passed where the upstream reports nothing.
 */
export class PassedResponse implements SocketCall {
  readonly model: Model;
  readonly price: Price;
  readonly startedAtMs: number;
  readonly hasBegun = true;
  readonly sent = { firstByteMs: null as number | null, bytes: 0 };
  /** The money ended, and with it the response. */
  isOutOfMoney = false;
  /** What it needed to go on then, beyond what it was charged. */
  neededNanos = 0n;
  details: SocketCall['details'];
  readonly #order: PassedOrder;
  readonly #begunAtMs = performance.now();
  readonly #done = Promise.withResolvers<void>();
  #response: Json;
  #reported: Usage | undefined;
  #passed: Passed = { textCharacters: 0, spokenCharacters: 0, soundMs: 0 };
  #held: Hold | undefined;
  /** The hold could not grow in full: it is used up before it grows again. */
  #isShort = false;

  /** `response` is the upstream's, as it was created. */
  constructor(order: PassedOrder, price: Price, response: Json) {
    this.#order = order;
    this.model = order.model;
    this.startedAtMs = order.startedAtMs;
    this.price = price;
    this.#response = response;
    this.#done.promise.catch(() => {});
  }

  async produce({ held }: Reserved, abort: CallAbort): Promise<void> {
    this.#held = held;
    abort.attempted(this.#order.upstream);
    await this.#emit('response.created', { response: this.#response });
    const aborted = new Promise<never>((_, reject) => {
      abort.addEventListener('abort', { handleEvent: () => reject(abort.reason) });
      if (abort.aborted) reject(abort.reason);
    });
    await Promise.race([this.#done.promise, aborted]);
    await this.#cover(0n);
  }

  /** Takes one of its events, and sends it on once it is paid for. Resolves when there is room for more. */
  async take(event: Json): Promise<void> {
    const type = String(event.type);
    if (typeof event.delta === 'string') await this.#count(type, event.delta);
    // The upstream may go on, or repeat in its last events what could not be paid.
    if (!this.isOutOfMoney) await this.#emit(type, event);
  }

  /** The upstream's last event of it; it is sent when the bill is on disk. */
  end(response: Json): void {
    this.#response = response;
    const { usage, status } = response;
    if (usage !== null && usage !== undefined) this.#reported = this.#plausible(usage);
    if (status === 'failed') this.#done.reject(new ProviderError('failed', 'the upstream reported a failed response'));
    else this.#done.resolve();
  }

  /** The tokens that its conversation has now, as the upstream reports them. */
  get contextTokens(): number | undefined {
    return this.#reported && this.#reported.inputTokens + this.#reported.outputTokens;
  }

  /** The upstream has gone. */
  breakOff(error: unknown): void {
    this.#done.reject(error);
  }

  /** What the upstream reports, unless that cannot be: beyond the model's limits, or far from what has passed. */
  #plausible(reported: unknown): Usage | undefined {
    const { promptTokens } = this.#order;
    const { contextTokens, outputTokensMax } = this.model;
    const passedTokens = tokensOf(this.#passed);
    const usage = readUsage(reported, {
      inputTokensMax: Math.min(contextTokens || Infinity, TOLERANCE * promptTokens),
      outputTokensMax: Math.min(outputTokensMax || Infinity, TOLERANCE * passedTokens + HIDDEN_TOKENS),
    });
    if (usage && passedTokens <= TOLERANCE * usage.outputTokens) return usage;
    noteImplausibleUsage(this.model.id);
    return undefined;
  }

  async #count(type: string, delta: string): Promise<void> {
    if (this.isOutOfMoney) return;
    const before = this.#passed;
    this.#passed = plus(before, type, delta);
    if (await this.#cover(this.price.wholeNanos / RESERVE_PART)) {
      this.sent.firstByteMs ??= Math.round(performance.now() - this.#begunAtMs);
      this.sent.bytes += delta.length;
      return;
    }
    this.neededNanos = this.#dueNanos();
    this.#passed = before;
    this.isOutOfMoney = true;
    this.#order.cancelAtUpstream();
    void waitAtMost(
      CANCEL_WAIT_MS,
      this.#done.promise.catch(() => {}),
    ).then(() => this.#done.resolve());
  }

  /** Whether the hold covers what was produced; grows it where less than `spareNanos` remain. */
  async #cover(spareNanos: bigint): Promise<boolean> {
    const held = this.#held;
    if (!held || this.isOutOfMoney) return !this.isOutOfMoney;
    const costNanos = this.#dueNanos();
    if (costNanos + (this.#isShort ? 0n : spareNanos) <= held.amountNanos) return true;
    const missingNanos = costNanos > held.amountNanos ? costNanos - held.amountNanos : 0n;
    const moreNanos = missingNanos + (spareNanos > 0n ? this.price.wholeNanos : 0n);
    this.#isShort = (await held.grow(moreNanos, missingNanos > 0n)) < moreNanos;
    return costNanos <= held.amountNanos;
  }

  whole(): Quantities {
    return this.#billed(this.#reported);
  }

  #billed(reported: Usage | undefined): Quantities {
    const passedTokens = tokensOf(this.#passed);
    const { outputTokens } = reported ?? { outputTokens: passedTokens };
    const quantities: Quantities = {
      // What was cut when the money ended was not delivered.
      output_tokens: this.isOutOfMoney ? Math.min(outputTokens, passedTokens) : outputTokens,
    };
    const { promptTokens } = this.#order;
    const sentTokens = Math.max(0, promptTokens - PROMPT_RESERVE_TOKENS);
    if (this.model.rates.input_tokens !== undefined) quantities.input_tokens = reported?.inputTokens ?? sentTokens;
    if (this.#passed.spokenCharacters > 0) quantities.output_characters = this.#passed.spokenCharacters;
    return quantities;
  }

  /** For holds: with a high estimate of the prompt until the upstream reports it. */
  #dueAtMost(): Quantities {
    const reported = this.#reported;
    return this.#billed(reported ?? { inputTokens: this.#order.promptTokens, outputTokens: tokensOf(this.#passed) });
  }

  #dueNanos(): bigint {
    return costNanosOf(this.#dueAtMost(), this.model.rates);
  }

  certain(): Quantities {
    return this.whole();
  }

  unbilled(): Quantities {
    return { output_tokens: 0 };
  }

  /** The upstream is asked to end the response, and for its usage. */
  async consumed(): Promise<Quantities> {
    this.#order.cancelAtUpstream();
    await waitAtMost(
      CANCEL_WAIT_MS,
      this.#done.promise.catch(() => {}),
    );
    await this.#cover(0n);
    return this.whole();
  }

  delivered(): Promise<Quantities> {
    return this.consumed();
  }

  shortened(): void {}

  present(_answer: void, { chargedNanos }: Outcome): void {
    const { status, usage } = this.#response;
    this.neededNanos -= chargedNanos;
    const ended = status === 'in_progress' ? { status: 'cancelled', status_details: null } : {};
    this.details = {
      finishReason: status === 'completed' ? 'stop' : 'length',
      cachedTokens: this.#reported?.cachedInputTokens ?? 0,
      reasoningTokens: 0,
    };
    // The upstream's own account of it repeats what could not be paid.
    const paid = this.isOutOfMoney ? { output: [] } : {};
    const counted = { output_characters: this.#passed.spokenCharacters, cost: usdOf(chargedNanos) };
    const shown = { ...this.#response, ...ended, ...paid, usage: { ...(isObject(usage) ? usage : {}), ...counted } };
    void this.#emit('response.done', { response: shown });
  }

  fail({ type, code, message }: ErrorBody): void {
    const details = { type: 'failed', error: { type, code, message } };
    const response = { ...this.#response, status: 'failed', status_details: details, usage: null };
    void this.#emit('response.done', { response });
  }

  #emit(type: string, members: object): Promise<void> | undefined {
    return this.#order.emit(type, members);
  }
}

function plus({ textCharacters, spokenCharacters, soundMs }: Passed, type: string, delta: string): Passed {
  if (type === 'response.output_audio.delta')
    return { textCharacters, spokenCharacters, soundMs: soundMs + delta.length / BASE64_CHARACTERS_A_MS };
  const characters = Array.from(delta).length;
  const spoken = type === 'response.output_audio_transcript.delta' ? characters : 0;
  return { textCharacters: textCharacters + characters, spokenCharacters: spokenCharacters + spoken, soundMs };
}

/** What a model needs for it, by an estimate. */
const tokensOf = ({ textCharacters, soundMs }: Passed): number =>
  Math.ceil(textCharacters / CHARACTERS_A_TOKEN) + Math.floor(soundMs / SOUND_MS_A_TOKEN);
