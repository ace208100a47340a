// Zero crossings of the kernel on each side: 32 keep the stop band below -80 dB.
const CROSSINGS = 32;
// Part of the band that is kept; the rest is the transition.
const PASSED = 0.95;
const KAISER_BETA = 8;

/** Converts samples to another rate, as one stream without seams: band-limited interpolation by a windowed sinc. */
export class Resampler {
  readonly #up: number;
  readonly #down: number;
  /** Samples on each side of an output that its sum reads. */
  readonly #reach: number;
  readonly #phases: Float32Array[];
  /** The samples that later outputs still read; they begin with silence. */
  #kept: Float32Array;
  /** Position of the next output in `#kept`, in steps of 1/up of a sample. */
  #position: number;

  constructor(from: number, to: number) {
    const divisor = greatestDivisor(from, to);
    this.#up = to / divisor;
    this.#down = from / divisor;
    const cutoff = Math.min(1, to / from) * PASSED;
    this.#reach = Math.ceil(CROSSINGS / cutoff);
    this.#phases = Array.from({ length: this.#up }, (_, phase) => kernel(phase / this.#up, cutoff, this.#reach));
    this.#kept = new Float32Array(this.#reach);
    this.#position = this.#reach * this.#up;
  }

  /** Takes samples, and returns those that are complete. */
  push(samples: Int16Array): Int16Array {
    const all = new Float32Array(this.#kept.length + samples.length);
    all.set(this.#kept);
    all.set(samples, this.#kept.length);
    const last = (all.length - this.#reach) * this.#up;
    const count = Math.max(0, Math.ceil((last - this.#position) / this.#down));
    const output = new Int16Array(count);
    for (let index = 0; index < count; index++) {
      output[index] = this.#sampleAt(all, this.#position);
      this.#position += this.#down;
    }
    const used = Math.max(0, Math.floor(this.#position / this.#up) - this.#reach);
    this.#kept = all.slice(used);
    this.#position -= used * this.#up;
    return output;
  }

  /** Returns the rest. */
  end(): Int16Array {
    return this.push(new Int16Array(this.#reach));
  }

  #sampleAt(samples: Float32Array, position: number): number {
    const weights = this.#phases[position % this.#up]!;
    const first = Math.floor(position / this.#up) - this.#reach + 1;
    let sum = 0;
    for (let tap = 0; tap < weights.length; tap++) sum += weights[tap]! * samples[first + tap]!;
    return Math.max(-32_768, Math.min(32_767, Math.round(sum)));
  }
}

/** The weights of the samples around an output that lies `fraction` of a sample after one of them; their sum is 1. */
function kernel(fraction: number, cutoff: number, reach: number): Float32Array {
  const weights = Float64Array.from({ length: 2 * reach }, (_, tap) => {
    const distance = tap - reach + 1 - fraction;
    const x = Math.PI * cutoff * distance;
    return (x === 0 ? 1 : Math.sin(x) / x) * kaiser(distance / reach);
  });
  const sum = weights.reduce((one, other) => one + other, 0);
  return Float32Array.from(weights, (weight) => weight / sum);
}

function kaiser(x: number): number {
  return Math.abs(x) >= 1 ? 0 : bessel(KAISER_BETA * Math.sqrt(1 - x * x)) / bessel(KAISER_BETA);
}

/** The modified Bessel function of the first kind, of order zero. */
function bessel(x: number): number {
  let sum = 1;
  let term = 1;
  for (let index = 1; term > sum * 1e-12; index++) sum += term *= (x / (2 * index)) ** 2;
  return sum;
}

function greatestDivisor(one: number, other: number): number {
  return other === 0 ? one : greatestDivisor(other, one % other);
}
