import type { AudioFormat } from '../../audio/formats.ts';
import { newId } from '../../db/ids.ts';
import type { CallAbort } from '../../providers/callAbort.ts';
import type { SpeechChunk } from '../../providers/speech.ts';
import type { Context } from '../context.ts';
import { elapsedMs } from '../http/answer.ts';
import type { Services } from '../services.ts';
import { openHistory, type HistoryItem, type HistoryWriter } from './keepSpeech.ts';
import type { Marks, SoundSink } from './soundSink.ts';
import { soundIn, started } from './started.ts';

/** An answer of sound: sent while it is made, and kept in the history where the caller wants that. */
export class SoundAnswer {
  firstByteMs: number | null = null;
  bytes = 0;
  readonly #ctx: Context;
  readonly #services: Services;
  readonly #format: AudioFormat;
  readonly #sink: SoundSink;
  /** Name of its format in the history; null: it is not kept. */
  readonly #keptAs: string | null;
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
  }

  /** Sends the sound; `headers` leave with its first piece, and `onSend` is called before each. Throws what ended it early. */
  async send(
    chunks: AsyncIterable<SpeechChunk>,
    abort: CallAbort,
    { headers, onSend }: { headers: Record<string, string>; onSend?: () => void },
  ): Promise<void> {
    const marks: Marks[] = [];
    try {
      for await (const sound of soundIn(this.#format, await started(withMarks(chunks, marks)))) {
        if (this.firstByteMs === null) this.#begin(headers);
        onSend?.();
        this.bytes += sound.length;
        await this.#history?.write(sound);
        await this.#sink.write(this.#ctx.res, sound, marks.splice(0));
        if (abort.aborted) throw abort.reason;
      }
    } catch (error) {
      await this.#history?.drop();
      throw error;
    }
  }

  #begin(headers: Record<string, string>): void {
    const ctx = this.#ctx;
    // From here on Koa has nothing to answer.
    ctx.respond = false;
    this.firstByteMs = elapsedMs(ctx);
    ctx.set(headers);
    ctx.res.setHeader('content-type', this.#sink.mediaType);
    if (this.#keptAs === null) return;
    const id = newId('hist');
    ctx.res.setHeader('history-item-id', id);
    this.#history = openHistory(this.#services, { workspaceId: ctx.state.key.workspaceId, id });
  }

  /** Keeps the sound in the history, then sends the answer's end. */
  async end(item: Omit<HistoryItem, 'requestId' | 'contentType' | 'outputFormat'>): Promise<void> {
    const { requestId } = this.#ctx.state;
    const contentType = this.#format.mediaType;
    await this.#history?.keep({ ...item, requestId, contentType, outputFormat: this.#keptAs! });
    this.#sink.end(this.#ctx.res, { characters: item.characters });
  }

  /** Breaks the answer off, and keeps nothing of it. */
  async fail(error: Parameters<SoundSink['fail']>[1]): Promise<void> {
    await this.#history?.drop();
    this.#sink.fail(this.#ctx.res, error);
  }
}

async function* withMarks(chunks: AsyncIterable<SpeechChunk>, marks: Marks[]): AsyncGenerator<SpeechChunk> {
  for await (const chunk of chunks) {
    if (chunk.marks) marks.push(chunk.marks);
    yield chunk;
  }
}
