import type { Model } from '../../db/catalog.ts';
import type { Hold } from '../../db/ledger.ts';
import { costNanosOf, divideUp, usdOf, type Quantities } from '../../db/money.ts';
import { isObject } from '../../base/json.ts';
import { waitAtMost } from '../../base/waiting.ts';
import type { CallAbort } from '../../providers/callAbort.ts';
import { ProviderError, type Json } from '../../providers/provider.ts';
import type { ErrorBody } from '../errors/apiError.ts';
import type { PaidCall } from '../paid/paidCall.ts';
import type { Price, Reserved } from '../paid/reserve.ts';
import type { Emit } from './outputItems.ts';

// The output that a hold covers at first, and grows by; near the last cent it starts with less.
const STEP = { tokens: 512, characters: 1_000 };
const SMALL_STEP = { tokens: 32, characters: 50 };
// A sixteenth of a step is kept in reserve: the hold grows before it is used up.
const RESERVE_PART = 16n;
// Until the upstream reports its usage: what its models need for a text, and for a second of sound.
const CHARACTERS_A_TOKEN = 4;
const SOUND_MS_A_TOKEN = 50;
const BASE64_CHARACTERS_A_MS = 64;
// How long an upstream may take to end a cancelled response, and to report its usage.
const CANCEL_WAIT_MS = 2_000;
const PICOS_PER_NANO = 1_000n;

type Step = typeof STEP;

/** Where a response comes from, and goes to. */
interface PassedOrder {
  model: Model;
  /** The catalogue's name of the upstream. */
  upstream: string;
  emit: Emit;
  /** Asks the upstream to end it. */
  cancelAtUpstream: () => void;
}

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
export class PassedResponse implements PaidCall {
  readonly model: Model;
  readonly price: Price;
  readonly isCompleteInPart = true;
  readonly sent = { firstByteMs: null as number | null, bytes: 0 };
  /** The money ended, and with it the response. */
  isOutOfMoney = false;
  details: PaidCall['details'];
  readonly #order: PassedOrder;
  readonly #begunAtMs = performance.now();
  readonly #done = Promise.withResolvers<void>();
  #response: Json;
  #reported: { inputTokens: number; outputTokens: number; cachedTokens: number } | undefined;
  #textCharacters = 0;
  #spokenCharacters = 0;
  #soundMs = 0;
  #held: Hold | undefined;

  /** `response` is the upstream's, as it was created. */
  constructor(order: PassedOrder, price: Price, response: Json) {
    this.#order = order;
    this.model = order.model;
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

  /** Takes one of its events, and sends it on. Resolves when there is room for more. */
  async take(event: Json): Promise<void> {
    if (typeof event.delta === 'string') await this.#count(String(event.type), event.delta);
    await this.#emit(String(event.type), event);
  }

  /** The upstream's last event of it; it is sent when the bill is on disk. */
  end(response: Json): void {
    this.#response = response;
    const { usage, status } = response;
    if (isObject(usage)) this.#reported = readUsage(usage);
    if (status === 'failed') this.#done.reject(new ProviderError('failed', 'the upstream reported a failed response'));
    else this.#done.resolve();
  }

  /** The upstream has gone. */
  breakOff(error: unknown): void {
    this.#done.reject(error);
  }

  async #count(type: string, delta: string): Promise<void> {
    if (type === 'response.output_audio.delta') this.#soundMs += delta.length / BASE64_CHARACTERS_A_MS;
    else {
      const characters = Array.from(delta).length;
      this.#textCharacters += characters;
      if (type === 'response.output_audio_transcript.delta') this.#spokenCharacters += characters;
    }
    this.sent.firstByteMs ??= Math.round(performance.now() - this.#begunAtMs);
    this.sent.bytes += delta.length;
    if (await this.#cover(this.price.wholeNanos / RESERVE_PART)) return;
    if (!this.isOutOfMoney) this.#order.cancelAtUpstream();
    this.isOutOfMoney = true;
  }

  /** Whether the hold covers what was produced; grows it where less than `spareNanos` remain. */
  async #cover(spareNanos: bigint): Promise<boolean> {
    const held = this.#held;
    if (!held || this.isOutOfMoney) return !this.isOutOfMoney;
    const costNanos = costNanosOf(this.whole(), this.model.rates);
    if (costNanos + spareNanos <= held.amountNanos) return true;
    const missingNanos = costNanos > held.amountNanos ? costNanos - held.amountNanos : 0n;
    await held.grow(missingNanos + (spareNanos > 0n ? this.price.wholeNanos : 0n), missingNanos > 0n);
    return costNanos <= held.amountNanos;
  }

  whole(): Quantities {
    const { inputTokens, outputTokens } = this.#reported ?? this.#estimated();
    const quantities: Quantities = { output_tokens: outputTokens };
    if (this.model.rates.input_tokens !== undefined) quantities.input_tokens = inputTokens;
    if (this.#spokenCharacters > 0) quantities.output_characters = this.#spokenCharacters;
    return quantities;
  }

  #estimated() {
    const ofText = Math.ceil(this.#textCharacters / CHARACTERS_A_TOKEN);
    return { inputTokens: 0, outputTokens: ofText + Math.floor(this.#soundMs / SOUND_MS_A_TOKEN), cachedTokens: 0 };
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

  present(chargedNanos: bigint): void {
    const { status, usage } = this.#response;
    const ended = status === 'in_progress' ? { status: 'cancelled', status_details: null } : {};
    this.details = {
      finishReason: status === 'completed' ? 'stop' : 'length',
      cachedTokens: this.#reported?.cachedTokens ?? 0,
      reasoningTokens: 0,
    };
    const counted = { output_characters: this.#spokenCharacters, cost: usdOf(chargedNanos) };
    const shown = { ...this.#response, ...ended, usage: { ...(isObject(usage) ? usage : {}), ...counted } };
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

function readUsage(usage: Json) {
  const count = (value: unknown) => (Number.isSafeInteger(value) && (value as number) >= 0 ? (value as number) : 0);
  const details = isObject(usage.input_token_details) ? usage.input_token_details : {};
  return {
    inputTokens: count(usage.input_tokens),
    outputTokens: count(usage.output_tokens),
    cachedTokens: count(details.cached_tokens),
  };
}
