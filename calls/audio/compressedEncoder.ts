import {
  AV_CHANNEL_LAYOUT_MONO,
  AV_CODEC_FLAG_GLOBAL_HEADER,
  AV_LOG_QUIET,
  AV_SAMPLE_FMT_FLTP,
  AV_SAMPLE_FMT_S16,
  AV_SAMPLE_FMT_S16P,
  AVERROR_EAGAIN,
  AVERROR_EOF,
} from 'node-av/constants';
import type { AVSampleFormat, FFEncoderCodec } from 'node-av/constants';
import { Codec, CodecContext, FFmpegError, Log, Packet, Rational } from 'node-av/lib';
import type { Frame } from 'node-av/lib';
import { type Container, type ContainerName, createContainer } from './containers.ts';
import type { AudioFormat } from './formats.ts';

// Errors are thrown, so FFmpeg's own log is switched off.
Log.setLevel(AV_LOG_QUIET);

interface Recipe {
  encoder: string;
  container: ContainerName;
  sampleFormat: AVSampleFormat;
  /** FFmpeg's name of the sample format, for the filter before the encoder. */
  filterFormat: string;
  encoderOptions?: Record<string, string>;
}

/** How each compressed format is written. */
const RECIPES: Partial<Record<AudioFormat['codec'], Recipe>> = {
  mp3: { encoder: 'libmp3lame', container: 'frames', sampleFormat: AV_SAMPLE_FMT_S16P, filterFormat: 's16p' },
  opus: {
    encoder: 'libopus',
    container: 'ogg',
    sampleFormat: AV_SAMPLE_FMT_S16,
    filterFormat: 's16',
    encoderOptions: { vbr: 'off', application: 'audio' },
  },
  aac: { encoder: 'aac', container: 'adts', sampleFormat: AV_SAMPLE_FMT_FLTP, filterFormat: 'fltp' },
  flac: { encoder: 'flac', container: 'flac', sampleFormat: AV_SAMPLE_FMT_S16, filterFormat: 's16' },
};

/** Whether a codec writes the format; the other formats contain plain samples. */
export function isCompressed({ codec }: AudioFormat): boolean {
  return RECIPES[codec] !== undefined;
}

/** The filter that converts samples to the form which `CompressedEncoder` requires. */
export function encoderFilter({ codec, sampleRate }: AudioFormat): string {
  return `aformat=sample_fmts=${RECIPES[codec]!.filterFormat}:sample_rates=${sampleRate}:channel_layouts=mono`;
}

/**
 * Encodes frames of one compressed format, and wraps them in the container of its streams. It runs in the caller's thread: a frame of 20 ms
 * takes a fraction of a millisecond, and a thread would cost several times that. FFmpeg's own containers are not used: they call back from
 * a thread, and a process that gets SIGTERM at that time never exits.
 */
export class CompressedEncoder {
  readonly #encoder = new CodecContext();
  readonly #packet = new Packet();
  readonly #container: Container;
  #sampleCount = 0;

  /** @throws FFmpegError when the codec does not open. */
  constructor({ codec, sampleRate, bitrateBps }: AudioFormat) {
    const { encoder, container, sampleFormat, encoderOptions = {} } = RECIPES[codec]!;
    const found = Codec.findEncoderByName(encoder as FFEncoderCodec)!;
    this.#packet.alloc();
    this.#encoder.allocContext3(found);
    this.#encoder.sampleRate = sampleRate;
    this.#encoder.sampleFormat = sampleFormat;
    this.#encoder.channelLayout = AV_CHANNEL_LAYOUT_MONO;
    this.#encoder.timeBase = new Rational(1, sampleRate);
    // More threads would only take CPU time from other work: one voice is encoded many times faster than real time.
    this.#encoder.threadCount = 1;
    if (bitrateBps !== undefined) this.#encoder.bitRate = BigInt(bitrateBps);
    this.#encoder.setFlags(AV_CODEC_FLAG_GLOBAL_HEADER);
    // Not as a dictionary to `open2Sync`: node-av frees that twice.
    for (const [name, value] of Object.entries(encoderOptions))
      FFmpegError.throwIfError(this.#encoder.setOption(name, value), name);
    FFmpegError.throwIfError(this.#encoder.open2Sync(null, null), 'encoder');
    const extraData = this.#encoder.extraData ?? Buffer.alloc(0);
    this.#container = createContainer(container, { extraData, sampleRate, samplesPerFrame: this.samplesPerFrame });
  }

  get samplesPerFrame(): number {
    return this.#encoder.frameSize;
  }

  /** The header before the first frame. */
  begin(): Buffer {
    return this.#container.begin();
  }

  /** Takes a frame and returns the bytes that can be sent now. */
  encode(frame: Frame): Buffer[] {
    this.#sampleCount += frame.nbSamples;
    return this.#encoded(frame);
  }

  /** Returns the rest of the stream. */
  end(): Buffer[] {
    return [...this.#encoded(null), this.#container.end(this.#sampleCount)];
  }

  #encoded(frame: Frame | null): Buffer[] {
    FFmpegError.throwIfError(this.#encoder.sendFrameSync(frame), 'encoder');
    const written: Buffer[] = [];
    for (;;) {
      const status = this.#encoder.receivePacketSync(this.#packet);
      if (status === AVERROR_EAGAIN || status === AVERROR_EOF) return written;
      FFmpegError.throwIfError(status, 'encoder');
      const { data } = this.#packet;
      // FLAC's last packet contains no audio, only values to correct the header with.
      if (data) written.push(this.#container.wrap(Buffer.from(data)));
      this.#packet.unref();
    }
  }

  close(): void {
    this.#packet.free();
    this.#encoder.freeContext();
  }
}
