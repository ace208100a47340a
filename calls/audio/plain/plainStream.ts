import { wavHeader } from '../../../base/wavHeader.ts';
import { AudioError } from '../audioError.ts';
import { slices, type EncodedStream, type EncodeOptions, type Piece } from '../encodedStream.ts';
import { WITHOUT_FFMPEG } from '../ffmpeg.ts';
import type { AudioFormat } from '../formats.ts';
import { companded } from './companding.ts';
import { Resampler } from './resampler.ts';

const CODECS: AudioFormat['codec'][] = ['pcm', 'wav', 'ulaw', 'alaw'];

/** A stream of plain samples, which needs no FFmpeg. */
export class PlainStream implements EncodedStream {
  readonly #format: AudioFormat;
  #sampleRate: number | undefined;
  #resampler: Resampler | undefined;

  /** @throws AudioError `no_encoder` for another format, and for another speed. */
  constructor(format: AudioFormat, { speed = 1 }: EncodeOptions = {}) {
    if (!CODECS.includes(format.codec))
      throw new AudioError(
        'no_encoder',
        `Sound can be written as ${CODECS.join(', ')}, not as ${format.codec}: ${WITHOUT_FFMPEG}.`,
      );
    if (speed !== 1) throw new AudioError('no_encoder', `The speed cannot be changed: ${WITHOUT_FFMPEG}.`);
    this.#format = format;
  }

  begin(): Buffer {
    const { codec, sampleRate } = this.#format;
    return codec === 'wav' ? wavHeader({ sampleRate }) : Buffer.alloc(0);
  }

  *slicesOf({ pcm, sampleRate }: Piece): Generator<Int16Array> {
    this.#sampleRate ??= sampleRate;
    const samples = sampleRate === this.#sampleRate ? pcm : whole(new Resampler(sampleRate, this.#sampleRate), pcm);
    yield* slices(samples, this.#sampleRate);
  }

  push(slice: Int16Array): Buffer {
    if (this.#sampleRate === this.#format.sampleRate) return this.#written(slice);
    this.#resampler ??= new Resampler(this.#sampleRate!, this.#format.sampleRate);
    return this.#written(this.#resampler.push(slice));
  }

  end(): Buffer {
    return this.#resampler ? this.#written(this.#resampler.end()) : Buffer.alloc(0);
  }

  close(): void {}

  #written(samples: Int16Array): Buffer {
    const { codec } = this.#format;
    if (codec === 'ulaw' || codec === 'alaw') return companded(samples, codec);
    return Buffer.from(samples.slice().buffer);
  }
}

/** One piece at another rate: an upstream that takes over in mid-speech may have its own. */
function whole(resampler: Resampler, pcm: Int16Array): Int16Array {
  const [head, rest] = [resampler.push(pcm), resampler.end()];
  const samples = new Int16Array(head.length + rest.length);
  samples.set(head);
  samples.set(rest, head.length);
  return samples;
}
