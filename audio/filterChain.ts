import { AV_CHANNEL_LAYOUT_MONO, AV_SAMPLE_FMT_S16, AVERROR_EAGAIN, AVERROR_EOF } from 'node-av/constants';
import { FFmpegError, FilterGraph, Frame } from 'node-av/lib';
import type { FilterContext } from 'node-av/lib';

/** Samples on their way through FFmpeg's filters. `close` gives back what it holds outside of the garbage collector's reach. */
export class FilterChain {
  readonly #graph = new FilterGraph();
  readonly #source: FilterContext;
  readonly #sink: FilterContext;
  readonly #sampleRate: number;
  #position = 0n;

  /** `filters` is in FFmpeg's own notation, e.g. `['atempo=1.5', 'aresample=44100']`. */
  constructor(sampleRate: number, filters: string[]) {
    this.#sampleRate = sampleRate;
    this.#graph.alloc();
    const source = `abuffer=sample_rate=${sampleRate}:sample_fmt=s16:channel_layout=mono:time_base=1/${sampleRate}`;
    const chain = [source, ...filters, 'abuffersink'];
    FFmpegError.throwIfError(this.#graph.parsePtr(chain.join(',')), 'filters');
    FFmpegError.throwIfError(this.#graph.configSync(), 'filters');
    this.#source = this.#graph.getFilter('Parsed_abuffer_0')!;
    this.#sink = this.#graph.getFilter(`Parsed_abuffersink_${chain.length - 1}`)!;
  }

  /** Takes samples, and yields the frames that are ready. A frame is only valid until the next one is asked for. */
  *push(samples: Int16Array): Generator<Frame> {
    if (samples.length === 0) return;
    const frame = Frame.fromAudioBuffer(bytesOf(samples), {
      nbSamples: samples.length,
      format: AV_SAMPLE_FMT_S16,
      sampleRate: this.#sampleRate,
      channelLayout: AV_CHANNEL_LAYOUT_MONO,
      timeBase: { num: 1, den: this.#sampleRate },
    });
    frame.pts = this.#position;
    this.#position += BigInt(samples.length);
    try {
      FFmpegError.throwIfError(this.#source.buffersrcAddFrameSync(frame), 'filter');
    } finally {
      frame.free();
    }
    yield* this.#ready();
  }

  /** Yields what is still inside. */
  *end(): Generator<Frame> {
    FFmpegError.throwIfError(this.#source.buffersrcAddFrameSync(null), 'filter');
    yield* this.#ready();
  }

  close(): void {
    this.#graph.free();
  }

  *#ready(): Generator<Frame> {
    const frame = new Frame();
    frame.alloc();
    try {
      for (;;) {
        const status = this.#sink.buffersinkGetFrameSync(frame);
        if (status === AVERROR_EAGAIN || status === AVERROR_EOF) return;
        FFmpegError.throwIfError(status, 'filter');
        yield frame;
        frame.unref();
      }
    } finally {
      frame.free();
    }
  }
}

/** The samples' memory as bytes, in the machine's order, which is little-endian wherever Node runs. */
export function bytesOf(samples: Int16Array): Buffer {
  return Buffer.from(samples.buffer, samples.byteOffset, samples.byteLength);
}
