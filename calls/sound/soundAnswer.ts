import { encodeAudio } from '../audio/audio.ts';
import { durationMsOf, type AudioFormat } from '../audio/formats.ts';
import type { ErrorBody } from '../../base/errors/apiError.ts';
import { newId } from '../../db/ids.ts';
import type { CallAbort } from '../../providers/callAbort.ts';
import { withFirstItem } from '../../providers/fallback.ts';
import type { SpeechChunk } from '../../providers/speech.ts';
import { elapsedMsOf, type Caller } from '../caller.ts';
import type { Delivery, Outcome } from '../delivery.ts';
import type { Priced } from '../reserve.ts';
import type { SoundServices } from '../services.ts';
import { openHistory, type HistoryItem, type HistoryWriter } from './keepSpeech.ts';

/** What an audio answer was made of, for the history. */
export type SoundFacts = Omit<HistoryItem, 'requestId' | 'contentType' | 'outputFormat' | 'keptDays'>;

/** How speech is kept in the history. */
export interface KeptSpeech {
  /** Name of its format in the history; null: it is not stored. */
  keptAs: string | null;
  /** For how many days; null: until it is removed. */
  keptDays?: number | null;
}

/** An audio answer, sent while it is produced and kept in the history when the caller wants that. */
export class SoundAnswer implements Delivery<SoundFacts> {
  firstByteMs: number | null = null;
  bytes = 0;
  #durationMs = 0;
  readonly isUsableInPart: boolean;
  readonly #caller: Caller;
  readonly #services: SoundServices;
  readonly #format: AudioFormat;
  readonly #sink: SoundSink;
  /** Name of its format in the history; null: it is not stored. */
  readonly #keptAs: string | null;
  readonly #keptDays: number | null;
  #history: HistoryWriter | undefined;
  #hasBegun = false;

  constructor(
    caller: Caller,
    services: SoundServices,
    { format, sink, keptAs, keptDays = null }: { format: AudioFormat; sink: SoundSink } & KeptSpeech,
  ) {
    this.#caller = caller;
    this.#services = services;
    this.#format = format;
    this.#sink = sink;
    this.#keptAs = keptAs;
    this.#keptDays = keptDays;
    this.isUsableInPart = sink.isUsableInPart;
  }

  get hasBegun(): boolean {
    return this.#hasBegun;
  }

  get sent(): SoundAnswer {
    return this;
  }

  /**
   * Sends the audio. Its head is sent with its first piece, or with what keeps the connection alive until then, and contains the price and
   * the billed characters of spoken text. `onSend` is called before each piece. Throws the error that ended it early.
   */
  async send(
    chunks: AsyncIterable<SpeechChunk>,
    abort: CallAbort,
    { onSend, ...priced }: Priced & { characters?: number; onSend?: () => void },
  ): Promise<void> {
    const marks: Marks[] = [];
    const stopKeepAlive = this.#sink.keepAlive?.(() => this.#begin(priced));
    try {
      for await (const sound of soundIn(this.#format, await started(this.#measured(chunks, marks)))) {
        this.firstByteMs ??= elapsedMsOf(this.#caller);
        this.#begin(priced);
        onSend?.();
        this.bytes += sound.length;
        await this.#history?.write(sound);
        await this.#sink.write(sound, marks.splice(0));
        if (abort.aborted) throw abort.reason;
      }
    } catch (error) {
      await this.#history?.drop();
      throw error;
    } finally {
      stopKeepAlive?.();
    }
  }

  /** The chunks; collects their marks and adds up their durations. */
  async *#measured(chunks: AsyncIterable<SpeechChunk>, marks: Marks[]): AsyncGenerator<SpeechChunk> {
    for await (const chunk of chunks) {
      if (chunk.marks) marks.push(chunk.marks);
      this.#durationMs += chunk.encoded
        ? durationMsOf(this.#format, chunk.encoded.length)
        : (chunk.pcm.length * 1_000) / chunk.sampleRate;
      yield chunk;
    }
  }

  #begin(priced: Priced & { characters?: number }): void {
    if (this.#hasBegun) return;
    this.#hasBegun = true;
    const id = this.#keptAs === null ? null : newId('hist');
    this.#sink.begin({ ...priced, historyId: id });
    if (id !== null) this.#history = openHistory(this.#services, { key: this.#caller.key, id });
  }

  /** Stores the audio in the history, then sends the answer's end. */
  async present(item: SoundFacts, { chargedNanos }: Outcome): Promise<void> {
    const { requestId } = this.#caller;
    const contentType = this.#format.mediaType;
    const kept = { requestId, contentType, outputFormat: this.#keptAs!, keptDays: this.#keptDays };
    await this.#history?.keep({ ...item, ...kept });
    const { text, characters } = item;
    await this.#sink.end({ text, characters, durationMs: this.#durationMs, chargedNanos });
  }

  /** Aborts the answer and stores nothing of it. */
  async fail(error: ErrorBody): Promise<void> {
    await this.#history?.drop();
    this.#sink.fail(error);
  }
}

export type Marks = NonNullable<SpeechChunk['marks']>;

/** Where an audio answer goes, and in which form: audio, timestamps and failures. */
export interface SoundSink {
  /** Whether a client can use a part of the answer. If so, it pays for an answer that this service had to end. */
  isUsableInPart: boolean;
  /** Sends the head, with the price, the billed characters of spoken text, and the id of its history item. */
  begin(head: Priced & { characters?: number; historyId: string | null }): void;
  /** For forms that can: keeps a silent connection alive, from the start on, after `begin`. Returns what stops it. */
  keepAlive?(begin: () => void): () => void;
  /** Writes audio with the timestamps that became known. Waits while the client is slower than the speech. */
  write(sound: Buffer, marks: Marks[]): Promise<void> | undefined;
  /** Writes what follows the audio. */
  end(facts: { text: string; characters: number; durationMs: number; chargedNanos: bigint }): void | Promise<void>;
  /** Ends an answer that has begun so that its client can detect the failure. */
  fail(error: ErrorBody): void;
}

/** The same chunks, after the first one has arrived. The header of an audio file does not prove that the engine works. */
async function started<T>(items: AsyncIterable<T>): Promise<AsyncIterable<T>> {
  return (await withFirstItem(items)).items;
}

/** Audio in the requested format: unchanged if the upstream sends that format, otherwise encoded. */
async function* soundIn(format: AudioFormat, chunks: AsyncIterable<SpeechChunk>): AsyncGenerator<Buffer> {
  const { first, items } = await withFirstItem(chunks);
  if (!first?.encoded) yield* encodeAudio(items, format);
  else for await (const { encoded } of items) if (encoded && encoded.length > 0) yield encoded;
}
