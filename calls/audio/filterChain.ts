import { AV_CHANNEL_LAYOUT_MONO, AV_SAMPLE_FMT_S16, AVERROR_EAGAIN, AVERROR_EOF } from 'node-av/constants';
import { FFmpegError, FilterGraph, Frame, type FilterContext, avGetSampleFmtName } from 'node-av/lib';

interface Input {
  sampleRate: number;
  /** FFmpeg's name of the sample format; `s16` by default. */
  sampleFormat?: string;
  channelLayout?: string;
}

/** A chain of FFmpeg's filters for samples. `close` frees native memory, which the garbage collector does not see. */
export class FilterChain {
  readonly #graph = new FilterGraph();
  readonly #source: FilterContext;
  readonly #sink: FilterContext;
  readonly #sampleRate: number;
  #position = 0n;

  /** `filters` is in FFmpeg's own notation, e.g. `['atempo=1.5', 'aresample=44100']`. */
  constructor({ sampleRate, sampleFormat = 's16', channelLayout = 'mono' }: Input, filters: string[]) {
    this.#sampleRate = sampleRate;
    this.#graph.alloc();
    this.#graph.nbThreads = 1;
    const form = `sample_rate=${sampleRate}:sample_fmt=${sampleFormat}:channel_layout=${channelLayout}`;
    const chain = [`abuffer=${form}:time_base=1/${sampleRate}`, ...filters, 'abuffersink'];
    FFmpegError.throwIfError(this.#graph.parsePtr(chain.join(',')), 'filters');
    FFmpegError.throwIfError(this.#graph.configSync(), 'filters');
    this.#source = this.#graph.getFilter('Parsed_abuffer_0')!;
    this.#sink = this.#graph.getFilter(`Parsed_abuffersink_${chain.length - 1}`)!;
  }

  /** Takes 16-bit mono samples, and yields the frames that are ready. A frame is only valid until the next one is requested. */
  *push(samples: Int16Array): Generator<Frame> {
    if (samples.length === 0) return;
    const frame = Frame.fromAudioBuffer(bytesOf(samples), {
      nbSamples: samples.length,
      format: AV_SAMPLE_FMT_S16,
      sampleRate: this.#sampleRate,
      channelLayout: AV_CHANNEL_LAYOUT_MONO,
      timeBase: { num: 1, den: this.#sampleRate },
    });
    try {
      yield* this.pushFrame(frame);
    } finally {
      frame.free();
    }
  }

  /** Takes a frame of the named format, and yields the frames that are ready. Its samples continue the previous ones without a gap. */
  *pushFrame(frame: Frame): Generator<Frame> {
    frame.pts = this.#position;
    this.#position += BigInt(frame.nbSamples);
    FFmpegError.throwIfError(this.#source.buffersrcAddFrameSync(frame), 'filter');
    yield* this.#ready();
  }

  /** Yields the samples that are still buffered. */
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

/** A copy of the frame's 16-bit samples, because FFmpeg reuses the frame's memory. */
export function samplesOf(frame: Frame): Int16Array {
  const bytes = frame.data![0]!;
  return new Int16Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + frame.nbSamples * 2) as ArrayBuffer);
}

// All decoded audio has this rate and one channel, as speech recognisers require.
const DECODED_SAMPLE_RATE = 16_000;
const SAMPLES_PER_PIECE = 8_000;

/** Converts frames of any format to one format; the format may change within a file. */
export class Resampler {
  readonly #filters: string[];
  #chain: FilterChain | undefined;
  #form = '';

  constructor(filters: string[]) {
    this.#filters = [
      `aresample=${DECODED_SAMPLE_RATE}`,
      `aformat=sample_fmts=flt:channel_layouts=mono:sample_rates=${DECODED_SAMPLE_RATE}`,
      ...filters,
      'aformat=sample_fmts=s16',
      `asetnsamples=n=${SAMPLES_PER_PIECE}:p=0`,
    ];
  }

  *push(frame: Frame): Generator<Int16Array> {
    const { nbChannels, mask } = frame.channelLayout;
    const layout = mask > 0n ? `0x${mask.toString(16)}` : `${nbChannels}c`;
    const form = `${frame.sampleRate} ${frame.format} ${layout}`;
    if (form !== this.#form) {
      yield* this.end();
      this.#form = form;
      const sampleFormat = avGetSampleFmtName(frame.format as Parameters<typeof avGetSampleFmtName>[0])!;
      this.#chain = new FilterChain(
        { sampleRate: frame.sampleRate, sampleFormat, channelLayout: layout },
        this.#filters,
      );
    }
    for (const ready of this.#chain!.pushFrame(frame)) yield samplesOf(ready);
  }

  *end(): Generator<Int16Array> {
    if (!this.#chain) return;
    for (const ready of this.#chain.end()) yield samplesOf(ready);
    this.#chain.close();
    this.#chain = undefined;
  }
}
