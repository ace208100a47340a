import type { ServerResponse } from 'node:http';
import { encodeAudio } from '../audio/audio.ts';
import { durationMsOf, type AudioFormat } from '../audio/formats.ts';
import { newId } from '../../db/ids.ts';
import type { CallAbort } from '../../providers/callAbort.ts';
import { withFirstItem } from '../../providers/fallback.ts';
import type { SpeechChunk } from '../../providers/speech.ts';
import type { Context } from '../../api/context.ts';
import type { ErrorBody } from '../../base/errors/apiError.ts';
import { elapsedMs } from '../../api/http/answer.ts';
import { writeTo } from '../../api/http/sse.ts';
import { setPricedHeaders, type Priced } from '../reserve.ts';
import type { Services } from '../../api/services.ts';
import { openHistory, type HistoryItem, type HistoryWriter } from './keepSpeech.ts';

/** An audio answer, sent while it is produced and kept in the history when the caller wants that. */
export class SoundAnswer {
  firstByteMs: number | null = null;
  bytes = 0;
  #durationMs = 0;
  readonly isUsableInPart: boolean;
  readonly #services: Services;
  readonly #format: AudioFormat;
  readonly #sink: SoundSink;
  /** Name of its format in the history; null: it is not stored. */
  readonly #keptAs: string | null;
  // Released at the end: this object may be kept until a large garbage collection.
  #ctx: Context | undefined;
  #history: HistoryWriter | undefined;

  constructor(
    ctx: Context,
    services: Services,
    { format, sink, keptAs }: { format: AudioFormat; sink: SoundSink; keptAs: string | null },
  ) {
    this.#ctx = ctx;
    this.#services = services;
    this.#format = format;
    this.#sink = sink;
    this.#keptAs = keptAs;
    this.isUsableInPart = sink.isUsableInPart;
  }

  /**
   * Sends the audio. The headers are sent with its first piece and contain the price and the billed characters of spoken text. `onSend` is
   * called before each piece. Throws the error that ended it early.
   */
  async send(
    chunks: AsyncIterable<SpeechChunk>,
    abort: CallAbort,
    { onSend, ...priced }: Priced & { characters?: number; onSend?: () => void },
  ): Promise<void> {
    const { res } = this.#ctx!;
    const marks: Marks[] = [];
    try {
      for await (const sound of soundIn(this.#format, await started(this.#measured(chunks, marks)))) {
        if (this.firstByteMs === null) this.#begin(priced);
        onSend?.();
        this.bytes += sound.length;
        await this.#history?.write(sound);
        await this.#sink.write(res, sound, marks.splice(0));
        if (abort.aborted) throw abort.reason;
      }
    } catch (error) {
      await this.#history?.drop();
      throw error;
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

  #begin({ characters, ...priced }: Priced & { characters?: number }): void {
    const ctx = this.#ctx!;
    // The response is sent here, not by Koa.
    ctx.respond = false;
    this.firstByteMs = elapsedMs(ctx);
    setPricedHeaders(ctx, priced);
    if (characters !== undefined) ctx.res.setHeader('character-cost', characters);
    ctx.res.setHeader('content-type', this.#sink.mediaType);
    if (this.#keptAs === null) return;
    const id = newId('hist');
    ctx.res.setHeader('history-item-id', id);
    this.#history = openHistory(this.#services, { workspaceId: ctx.state.key.workspaceId, id });
  }

  /** Stores the audio in the history, then sends the answer's end. */
  async end(item: Omit<HistoryItem, 'requestId' | 'contentType' | 'outputFormat'>): Promise<void> {
    const { state, res } = this.#ctx!;
    const history = this.#history;
    this.#ctx = undefined;
    this.#history = undefined;
    const contentType = this.#format.mediaType;
    await history?.keep({ ...item, requestId: state.requestId, contentType, outputFormat: this.#keptAs! });
    await this.#sink.end(res, { text: item.text, characters: item.characters, durationMs: this.#durationMs });
  }

  /** Aborts the answer and stores nothing of it. */
  async fail(error: ErrorBody): Promise<void> {
    await this.#history?.drop();
    this.#sink.fail(this.#ctx!.res, error);
  }
}

export type Marks = NonNullable<SpeechChunk['marks']>;

/** The output format of speech: audio, timestamps and failures. */
export interface SoundSink {
  mediaType: string;
  /** Whether a client can use a part of the answer. If so, it pays for an answer that this service had to end. */
  isUsableInPart: boolean;
  /** Writes audio with the timestamps that became known. Waits while the client is slower than the speech. */
  write(res: ServerResponse, sound: Buffer, marks: Marks[]): Promise<void> | undefined;
  /** Writes what follows the audio. */
  end(res: ServerResponse, facts: { text: string; characters: number; durationMs: number }): void | Promise<void>;
  /** Ends an answer that has begun so that its client can detect the failure. */
  fail(res: ServerResponse, error: ErrorBody): void;
}

/** Audio bytes only. */
export function soundAlone(mediaType: string): SoundSink {
  return {
    mediaType,
    isUsableInPart: true,
    write: (res, sound) => writeTo(res, sound),
    end: (res) => void res.end(),
    // Every client reports an error when a body of unknown length is cut off.
    fail: (res) => void res.destroy(),
  };
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
