import { newId } from '../../../db/ids.ts';
import type { Model } from '../../../db/catalog/catalog.ts';
import type { Hold } from '../../../db/ledger/ledger.ts';
import { costNanosOf, type Quantities } from '../../../db/money.ts';
import { CallAbort } from '../../../providers/callAbort.ts';
import { jsonOf, type Chunk } from '../../../providers/plainChunk.ts';
import type { ErrorBody } from '../../../base/errors/apiError.ts';
import type { Outcome } from '../../../calls/delivery.ts';
import type { SocketCall } from '../../sockets/socketCall.ts';
import type { Price, Reserved } from '../../../calls/reserve.ts';
import type { Services } from '../../services.ts';
import { finalUsage, meterCall, openUpstream, readMetered, type MeteredCall } from '../../../calls/text/meteredCall.ts';
import { costOf } from '../../../calls/text/usage.ts';
import {
  countLeastNanos,
  firstStepNanos,
  growingPrice,
  ZERO_USAGE,
  type TextCall,
} from '../../../calls/text/textCall.ts';
import type { Conversation } from '../session/conversation.ts';
import { OutputItems, type Emit } from '../session/outputItems.ts';
import { SpokenText, type VoiceOrder } from './spokenText.ts';

/** What one response is made of. */
export interface AnswerOrder {
  /** The model of the session, by which it is billed, at the price of the response's start. */
  model: Model;
  startedAtMs: number;
  /** The model that writes, and its call. */
  textModel: Model;
  call: TextCall;
  /** How the text is spoken; null: it is only written. */
  voice: VoiceOrder | null;
  conversation: Conversation | null;
  /** Members of the response that repeat what was asked. */
  echo: object;
  emit: Emit;
}

type CancelReason = 'client_cancelled' | 'turn_detected';

/** A piece of an upstream's tool calls. */
interface CallPiece {
  index?: number;
  id?: string;
  function?: { name?: string; arguments?: string };
}

/**
 * One response of a session, as a paid call: its text is written, and spoken sentence by sentence while more is written. Billed by the tokens
 * that were written and the characters that were spoken, also where it is cancelled or its client leaves.
 */
export class Answer implements SocketCall {
  readonly id = newId('resp');
  readonly model: Model;
  readonly price: Price;
  readonly startedAtMs: number;
  readonly hasBegun = true;
  readonly sent = { firstByteMs: null as number | null, bytes: 0 };
  /** The money ended, and with it the answer. */
  isOutOfMoney = false;
  /** The client was told of its end. */
  isDone = false;
  /** Why nothing was answered. */
  failure: ErrorBody | undefined;
  details: SocketCall['details'];
  readonly #services: Services;
  readonly #order: AnswerOrder;
  readonly #output: OutputItems;
  readonly #begunAtMs = performance.now();
  #spoken: SpokenText | undefined;
  #metered: MeteredCall | undefined;
  #abort: CallAbort | undefined;
  #held: Hold | undefined;
  #chargedNanos = 0n;
  #cancelled: CancelReason | undefined;
  #usage = ZERO_USAGE;

  constructor(services: Services, order: AnswerOrder) {
    this.#services = services;
    this.#order = order;
    this.model = order.model;
    this.startedAtMs = order.startedAtMs;
    this.price = growingPrice(order.call, firstStepNanos(order.call));
    const { conversation } = order;
    const emit: Emit = (type, members) => this.#emit(type, members);
    this.#output = new OutputItems({ responseId: this.id, isSpoken: order.voice !== null, conversation, emit });
  }

  /** What it needed to go on where the money ended, beyond what it was charged: a sentence more, or a token. */
  get neededNanos(): bigint {
    const tokenNanos = costNanosOf({ output_tokens: 1 }, this.model.rates);
    if (!this.#spoken) return tokenNanos;
    // What is held for sentences and not spoken is no token's.
    return (this.#held?.amountNanos ?? 0n) - this.#chargedNanos + (this.#spoken.missingNanos || tokenNanos);
  }

  /** Ends the answer where it is; what was sent of it is billed, and stays in the conversation. */
  cancel(reason: CancelReason): void {
    this.#cancelled ??= reason;
    this.#abort?.abort('cut');
  }

  /** How long its sound is. */
  get spokenMs(): number {
    return this.#spoken?.spokenMs ?? 0;
  }

  countLeastNanos(): Promise<bigint> {
    return countLeastNanos(this.#order.call);
  }

  async produce({ held }: Reserved, abort: CallAbort): Promise<void> {
    this.#abort = abort;
    this.#held = held;
    const { call, textModel, voice, emit } = this.#order;
    void emit('response.created', { response: this.#shown('in_progress') });
    const writing = new CallAbort();
    const spoken = (this.#spoken = voice ? new SpokenText(this.#services, voice, this.#output, held) : undefined);
    const metered = (this.#metered = meterCall(call, spoken?.holdOfText ?? held, writing));
    const end = (): void => {
      writing.abort(abort.reason);
      spoken?.stop(abort.reason);
    };
    if (this.#cancelled) abort.abort('cut');
    abort.addEventListener('abort', { handleEvent: end });
    if (abort.aborted) end();
    // What is written after the last word that can be paid is not said.
    const spoke = spoken?.finished.then(() => spoken.isOutOfMoney && writing.abort('cut'));
    try {
      const provider = this.#services.textProviders.of(held, textModel);
      const read = async (): Promise<void> => {
        const chunks = await openUpstream(metered, provider);
        await readMetered(metered, chunks, { take: (pieces) => this.#take(pieces, spoken) });
        spoken?.end();
      };
      // Whichever fails ends the other one.
      await Promise.all([read(), spoke]);
    } catch (error) {
      end();
      spoken?.stop(error);
      const isCut = abort.aborted ? abort.reason === 'cut' : spoken?.isOutOfMoney && writing.reason === 'cut';
      if (!isCut) throw abort.aborted ? abort.reason : error;
    } finally {
      if (writing.upstream !== null) abort.attempted(writing.upstream);
      await spoken?.close();
    }
    this.#usage = await finalUsage(metered);
    this.isOutOfMoney = metered.isOutOfMoney || spoken?.isOutOfMoney === true;
  }

  #take(pieces: Chunk[], spoken: SpokenText | undefined): Promise<void> | undefined {
    let full: Promise<void> | undefined;
    for (const { choices } of pieces.map(jsonOf)) {
      for (const { delta } of (choices ?? []) as { delta?: { content?: string; tool_calls?: CallPiece[] } }[]) {
        const text = delta?.content;
        if (text) full = this.#write(text, spoken) ?? full;
        for (const { index = 0, id = '', function: named } of delta?.tool_calls ?? [])
          this.#output.call({ index, id, name: named?.name ?? '', written: named?.arguments ?? '' });
      }
    }
    return full;
  }

  #write(text: string, spoken: SpokenText | undefined): Promise<void> | undefined {
    if (!spoken) return this.#output.write(text);
    this.#output.awaitMessage();
    return spoken.add(text);
  }

  certain(): Quantities {
    // What a killed process has written and not sent is of no use, as where it ends by itself.
    if (this.sent.firstByteMs === null) return this.unbilled();
    return this.#billed(this.#metered!.meter.certain());
  }

  countCertain(): Promise<void> {
    return this.#metered!.meter.countCertain();
  }

  whole(): Quantities {
    return this.#billed(this.#usage);
  }

  unbilled(): Quantities {
    return this.#billed(ZERO_USAGE);
  }

  async consumed(): Promise<Quantities> {
    if (this.#metered) this.#usage = await finalUsage(this.#metered);
    return this.whole();
  }

  delivered(): Promise<Quantities> {
    this.#cancelled ??= 'client_cancelled';
    return this.consumed();
  }

  /** Input is free unless the catalogue has a price for it. */
  #billed({ inputTokens, outputTokens }: typeof ZERO_USAGE): Quantities {
    const quantities: Quantities = { output_tokens: outputTokens };
    if (this.model.rates.input_tokens !== undefined) quantities.input_tokens = inputTokens;
    if (this.#spoken && this.#spoken.characters > 0) quantities.output_characters = this.#spoken.characters;
    return quantities;
  }

  shortened(): void {}

  present(_answer: void, { chargedNanos }: Outcome): void {
    this.#chargedNanos = chargedNanos;
    const finishReason = this.#metered!.meter.finishReason();
    // What is cut here, at the limit or where the money ended, has no finish reason of its upstream.
    const isCut = this.#metered!.abort.aborted;
    const isWhole = this.#cancelled === undefined && finishReason !== 'length' && !isCut;
    this.details = { finishReason: isWhole ? finishReason : 'length', cachedTokens: 0, reasoningTokens: 0 };
    this.#output.end(isWhole ? 'completed' : 'incomplete');
    const ending = this.#cancelled
      ? { status: 'cancelled', status_details: { type: 'cancelled', reason: this.#cancelled } }
      : isWhole
        ? { status: 'completed', status_details: null }
        : { status: 'incomplete', status_details: { type: 'incomplete', reason: 'max_output_tokens' } };
    const usage = { ...this.#shownUsage(), ...costOf({ ...this.#usage, chargedNanos }) };
    this.#end({ ...this.#shown(ending.status), ...ending, usage });
  }

  fail(error: ErrorBody): void {
    this.failure = error;
    // Nothing was begun where no money could be held for it.
    if (!this.#metered) return;
    this.#output.end('incomplete');
    const { type, code, message } = error;
    const details = { type: 'failed', error: { type, code, message } };
    const response = { ...this.#shown('failed'), status_details: details, usage: null };
    this.#end(response);
  }

  #end(response: object): void {
    this.isDone = true;
    void this.#order.emit('response.done', { response });
  }

  #shown(status: string): object {
    return {
      object: 'realtime.response',
      id: this.id,
      status,
      status_details: null,
      output: this.#output.items,
      ...this.#order.echo,
      usage: null,
    };
  }

  #shownUsage(): object {
    const {
      inputTokens,
      outputTokens,
      cachedInputTokens = 0,
    } = this.#usage as typeof ZERO_USAGE & {
      cachedInputTokens?: number;
    };
    const noOthers = { audio_tokens: 0, image_tokens: 0 };
    const cached = { cached_tokens: cachedInputTokens };
    return {
      total_tokens: inputTokens + outputTokens,
      input_tokens: inputTokens,
      output_tokens: outputTokens,
      input_token_details: {
        text_tokens: inputTokens,
        ...noOthers,
        ...cached,
        cached_tokens_details: { text_tokens: cachedInputTokens, ...noOthers },
      },
      output_token_details: { text_tokens: outputTokens, audio_tokens: 0 },
      output_characters: this.#spoken?.characters ?? 0,
    };
  }

  #emit(type: string, members: object): Promise<void> | undefined {
    if (type.endsWith('.delta')) {
      this.sent.firstByteMs ??= Math.round(performance.now() - this.#begunAtMs);
      this.sent.bytes += (members as { delta: string }).delta.length;
    }
    return this.#order.emit(type, members);
  }
}
