/** The rate of the service's sound, in samples a second. */
const RATE = 24_000;
// Sound begins this much later than it could, so that the next piece arrives before this one ends.
const LEAD_SECONDS = 0.06;
const SHORTS_SCALE = 32_768;

interface Playing {
  itemId: string;
  source: AudioBufferSourceNode;
  startsAt: number;
  seconds: number;
}

/** The part of an answer heard before it was stopped. */
export interface Heard {
  itemId: string;
  heardMs: number;
}

/** Plays answers piece after piece while they arrive, and tracks how much of each was actually heard. */
export class Speaker {
  readonly #context = new AudioContext({ sampleRate: RATE });
  readonly #meter = this.#context.createAnalyser();
  readonly #waveform: Float32Array<ArrayBuffer>;
  readonly #onChange: () => void;
  readonly #finishedSeconds = new Map<string, number>();
  #queue: Playing[] = [];
  #endsAt = 0;

  constructor(onChange: () => void) {
    this.#onChange = onChange;
    this.#meter.fftSize = 1_024;
    this.#waveform = new Float32Array(this.#meter.fftSize);
    this.#meter.connect(this.#context.destination);
    void this.#context.resume();
  }

  get isPlaying(): boolean {
    return this.#queue.length > 0;
  }

  /** The level of what plays now, from 0 to 1. */
  level(): number {
    if (!this.isPlaying) return 0;
    this.#meter.getFloatTimeDomainData(this.#waveform);
    return Math.sqrt(this.#waveform.reduce((sum, value) => sum + value * value, 0) / this.#waveform.length);
  }

  /** Queues a piece of an answer: base64 of 16-bit samples. */
  play(itemId: string, base64: string): void {
    const buffer = this.#bufferOf(base64);
    if (!buffer) return;
    const source = new AudioBufferSourceNode(this.#context, { buffer });
    source.connect(this.#meter);
    const startsAt = Math.max(this.#endsAt, this.#context.currentTime + LEAD_SECONDS);
    const playing = { itemId, source, startsAt, seconds: buffer.duration };
    this.#endsAt = startsAt + buffer.duration;
    source.addEventListener('ended', () => this.#finish(playing));
    source.start(startsAt);
    this.#queue.push(playing);
    if (this.#queue.length === 1) this.#onChange();
  }

  /** Stops at once. Returns the answers that were not heard to their end. */
  stop(): Heard[] {
    // Audio that has left the queue still takes this long to reach the ear.
    const now = this.#context.currentTime - (this.#context.outputLatency || 0);
    const stopped = this.#queue;
    this.#queue = [];
    this.#endsAt = 0;
    for (const { itemId, source, startsAt, seconds } of stopped) {
      source.stop();
      source.disconnect();
      this.#count(itemId, Math.max(0, Math.min(seconds, now - startsAt)));
    }
    if (stopped.length > 0) this.#onChange();
    return [...new Set(stopped.map(({ itemId }) => itemId))].map((itemId) => ({
      itemId,
      heardMs: Math.floor((this.#finishedSeconds.get(itemId) ?? 0) * 1_000),
    }));
  }

  close(): void {
    this.stop();
    if (this.#context.state !== 'closed') void this.#context.close();
  }

  #finish(playing: Playing): void {
    // A stopped piece was counted already.
    if (!this.#queue.includes(playing)) return;
    this.#queue = this.#queue.filter((one) => one !== playing);
    this.#count(playing.itemId, playing.seconds);
    if (!this.isPlaying) this.#onChange();
  }

  #count(itemId: string, seconds: number): void {
    this.#finishedSeconds.set(itemId, (this.#finishedSeconds.get(itemId) ?? 0) + seconds);
  }

  #bufferOf(base64: string): AudioBuffer | null {
    const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
    const shorts = new DataView(bytes.buffer);
    const length = Math.floor(bytes.length / 2);
    if (length === 0) return null;
    const buffer = this.#context.createBuffer(1, length, RATE);
    const samples = buffer.getChannelData(0);
    for (let at = 0; at < length; at += 1) samples[at] = shorts.getInt16(2 * at, true) / SHORTS_SCALE;
    return buffer;
  }
}

/** Samples as base64. */
export function base64Of(samples: Int16Array<ArrayBuffer>): string {
  return btoa(String.fromCharCode(...new Uint8Array(samples.buffer)));
}
