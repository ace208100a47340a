/** Runs in the browser's audio thread: converts the microphone's recording into 16-bit samples at 24 kHz, in pieces of 50 ms. */

declare const sampleRate: number;
declare class AudioWorkletProcessor {
  readonly port: MessagePort;
}
declare function registerProcessor(name: string, processor: typeof AudioWorkletProcessor): void;

const OUTPUT_RATE = 24_000;
const PIECE_SAMPLES = 1_200;
// Zero crossings of the filter on each side, and its tables between two input samples.
const CROSSINGS = 12;
const PHASES = 64;
// Of the lower rate: what remains is the filter's slope.
const CUTOFF = 0.46;

/** The worklet's messages: a piece of sound, and its loudness from 0 to 1. */
export interface Piece {
  samples: Int16Array<ArrayBuffer>;
  level: number;
}

/** Changes a sound's sample rate as it arrives, by a windowed sinc: sound above the new limit is removed and does not fold back. */
class Resampler {
  readonly #step: number;
  readonly #half: number;
  readonly #tables: Float32Array[];
  #kept: Float32Array;
  #position: number;

  constructor(inputRate: number) {
    const cutoff = (CUTOFF * Math.min(inputRate, OUTPUT_RATE)) / inputRate;
    this.#step = inputRate / OUTPUT_RATE;
    this.#half = Math.ceil(CROSSINGS / (2 * cutoff));
    this.#tables = Array.from({ length: PHASES }, (_, phase) => tableOf(phase / PHASES, this.#half, cutoff));
    this.#kept = new Float32Array(this.#half);
    this.#position = this.#half;
  }

  /** Calls `take` with each output sample that the input so far suffices for. */
  push(input: Float32Array, take: (sample: number) => void): void {
    const sound = new Float32Array(this.#kept.length + input.length);
    sound.set(this.#kept);
    sound.set(input, this.#kept.length);
    while (this.#position + this.#half + 1 < sound.length) {
      const at = Math.floor(this.#position);
      const table = this.#tables[Math.floor((this.#position - at) * PHASES)]!;
      const first = at - this.#half + 1;
      let sum = 0;
      for (let tap = 0; tap < table.length; tap += 1) sum += sound[first + tap]! * table[tap]!;
      take(sum);
      this.#position += this.#step;
    }
    const used = Math.max(0, Math.floor(this.#position) - this.#half);
    this.#kept = sound.slice(used);
    this.#position -= used;
  }
}

/** The filter's values for an output sample at this distance after an input sample. */
function tableOf(offset: number, half: number, cutoff: number): Float32Array {
  const table = new Float32Array(2 * half);
  let sum = 0;
  for (let tap = 0; tap < table.length; tap += 1) {
    const distance = tap - half + 1 - offset;
    const angle = 2 * Math.PI * cutoff * distance;
    const sinc = angle === 0 ? 1 : Math.sin(angle) / angle;
    const window = Math.max(0, 0.5 + 0.5 * Math.cos((Math.PI * distance) / half));
    sum += table[tap] = sinc * window;
  }
  return table.map((value) => value / sum);
}

class Recorder extends AudioWorkletProcessor {
  readonly #resampler = new Resampler(sampleRate);
  #samples = new Int16Array(PIECE_SAMPLES);
  #filled = 0;
  #squares = 0;

  process([channels]: Float32Array[][]): boolean {
    const [sound] = channels ?? [];
    if (sound) this.#resampler.push(sound, (sample) => this.#add(sample));
    return true;
  }

  #add(sample: number): void {
    const bounded = Math.max(-1, Math.min(1, sample));
    this.#samples[this.#filled] = Math.round(bounded * 32_767);
    this.#squares += bounded * bounded;
    this.#filled += 1;
    if (this.#filled < PIECE_SAMPLES) return;
    const piece: Piece = { samples: this.#samples, level: Math.sqrt(this.#squares / PIECE_SAMPLES) };
    this.port.postMessage(piece, [piece.samples.buffer]);
    this.#samples = new Int16Array(PIECE_SAMPLES);
    this.#filled = 0;
    this.#squares = 0;
  }
}

registerProcessor('recorder', Recorder);
