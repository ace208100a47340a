import { avGetSampleFmtName, type Frame } from 'node-av/lib';
import { FilterChain, samplesOf } from './filterChain.ts';

// All decoded audio has this rate and one channel, as recognisers need.
const DECODED_SAMPLE_RATE = 16_000;
const SAMPLES_PER_PIECE = 8_000;

/** Brings frames into the one form, whatever form they have; a file may change its form on the way. */
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
