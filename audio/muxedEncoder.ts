import {
  AV_CHANNEL_LAYOUT_MONO,
  AV_CODEC_FLAG_GLOBAL_HEADER,
  AV_LOG_QUIET,
  AV_SAMPLE_FMT_FLTP,
  AV_SAMPLE_FMT_S16,
  AV_SAMPLE_FMT_S16P,
  AVERROR_EAGAIN,
  AVERROR_EOF,
  AVFMT_FLAG_CUSTOM_IO,
} from 'node-av/constants';
import type { AVSampleFormat, FFEncoderCodec } from 'node-av/constants';
import {
  Codec,
  CodecContext,
  Dictionary,
  FFmpegError,
  FormatContext,
  IOContext,
  Log,
  Packet,
  Rational,
} from 'node-av/lib';
import type { Frame, Stream } from 'node-av/lib';
import type { AudioFormat } from './formats.ts';

// What goes wrong is thrown; what FFmpeg has to say besides is no log of ours.
Log.setLevel(AV_LOG_QUIET);

interface Recipe {
  encoder: string;
  container: string;
  sampleFormat: AVSampleFormat;
  /** FFmpeg's name of the sample format, for the filter before the encoder. */
  filterFormat: string;
  encoderOptions?: Record<string, string>;
  containerOptions?: Record<string, string>;
}

/** How FFmpeg writes each compressed format. */
const recipes: Partial<Record<AudioFormat['codec'], Recipe>> = {
  mp3: {
    encoder: 'libmp3lame',
    container: 'mp3',
    sampleFormat: AV_SAMPLE_FMT_S16P,
    filterFormat: 's16p',
    // Both would be filled in at the end, in a beginning that has been sent by then.
    containerOptions: { write_xing: '0', id3v2_version: '0' },
  },
  opus: {
    encoder: 'libopus',
    container: 'ogg',
    sampleFormat: AV_SAMPLE_FMT_S16,
    filterFormat: 's16',
    encoderOptions: { vbr: 'off', application: 'audio' },
    // A page after every packet or so: a player starts with the first one.
    containerOptions: { page_duration: '100000' },
  },
  aac: { encoder: 'aac', container: 'adts', sampleFormat: AV_SAMPLE_FMT_FLTP, filterFormat: 'fltp' },
  flac: { encoder: 'flac', container: 'flac', sampleFormat: AV_SAMPLE_FMT_S16, filterFormat: 's16' },
};

/** Whether FFmpeg writes the format; the others are written here. */
export function isCompressed({ codec }: AudioFormat): boolean {
  return recipes[codec] !== undefined;
}

/** The filter that brings samples into the form which `MuxedEncoder` wants. */
export function encoderFilter({ codec, sampleRate }: AudioFormat): string {
  return `aformat=sample_fmts=${recipes[codec]!.filterFormat}:sample_rates=${sampleRate}:channel_layouts=mono`;
}

/** Encodes frames of one compressed format, and puts them into the container of its streams. */
export class MuxedEncoder {
  readonly #encoder: CodecContext;
  readonly #container = new FormatContext();
  readonly #stream: Stream;
  readonly #output = new IOContext();
  readonly #packet = new Packet();
  #written: Buffer[] = [];

  /** Opens the encoder; the first bytes come with the first frames. */
  static async open(format: AudioFormat): Promise<MuxedEncoder> {
    const recipe = recipes[format.codec]!;
    const opened = new MuxedEncoder(format, recipe);
    await opened.#start(recipe);
    return opened;
  }

  private constructor({ sampleRate, bitrateBps }: AudioFormat, recipe: Recipe) {
    const codec = Codec.findEncoderByName(recipe.encoder as FFEncoderCodec)!;
    this.#encoder = new CodecContext();
    this.#encoder.allocContext3(codec);
    this.#encoder.sampleRate = sampleRate;
    this.#encoder.sampleFormat = recipe.sampleFormat;
    this.#encoder.channelLayout = AV_CHANNEL_LAYOUT_MONO;
    this.#encoder.timeBase = new Rational(1, sampleRate);
    // More threads would only take the time of others: one voice is encoded many times faster than it is heard.
    this.#encoder.threadCount = 1;
    if (bitrateBps !== undefined) this.#encoder.bitRate = BigInt(bitrateBps);
    this.#encoder.setFlags(AV_CODEC_FLAG_GLOBAL_HEADER);
    FFmpegError.throwIfError(this.#container.allocOutputContext2(null, recipe.container, null), 'container');
    this.#stream = this.#container.newStream(codec);
    this.#packet.alloc();
  }

  get samplesPerFrame(): number {
    return this.#encoder.frameSize;
  }

  async #start({ encoderOptions = {}, containerOptions = {} }: Recipe): Promise<void> {
    FFmpegError.throwIfError(await this.#encoder.open2(null, Dictionary.fromObject(encoderOptions)), 'encoder');
    FFmpegError.throwIfError(this.#stream.codecpar.fromContext(this.#encoder), 'container');
    this.#stream.timeBase = this.#encoder.timeBase;
    this.#output.allocContextWithCallbacks(4096, 1, null, (bytes) => {
      this.#written.push(Buffer.from(bytes));
      return bytes.length;
    });
    this.#container.pb = this.#output;
    this.#container.setFlags(AVFMT_FLAG_CUSTOM_IO);
    FFmpegError.throwIfError(await this.#container.writeHeader(Dictionary.fromObject(containerOptions)), 'container');
  }

  /** Takes a frame, or null at the end, and returns what there is to send by now. */
  async encode(frame: Frame | null): Promise<Buffer[]> {
    FFmpegError.throwIfError(await this.#encoder.sendFrame(frame), 'encoder');
    for (;;) {
      const status = await this.#encoder.receivePacket(this.#packet);
      if (status === AVERROR_EAGAIN || status === AVERROR_EOF) break;
      FFmpegError.throwIfError(status, 'encoder');
      this.#packet.streamIndex = 0;
      this.#packet.rescaleTs(this.#encoder.timeBase, this.#stream.timeBase);
      FFmpegError.throwIfError(await this.#container.writeFrame(this.#packet), 'container');
      this.#packet.unref();
    }
    if (frame === null) await this.#container.writeTrailer();
    await this.#container.flush();
    const written = this.#written;
    this.#written = [];
    return written;
  }

  close(): void {
    this.#packet.free();
    this.#encoder.freeContext();
    this.#container.pb = null;
    this.#container.freeContext();
    this.#output.freeContext();
  }
}
