import { openEncodedStream } from '../../../calls/audio/audio.ts';
import { VOICE_FORMATS } from '../../../calls/audio/formats.ts';
import {
  openEnergyActivity,
  VOICE_FRAME_SAMPLES,
  type VoiceActivity,
} from '../../../providers/sound/energyActivity.ts';
import { newId } from '../../../db/ids.ts';
import { InvalidRequest, invalidValue } from '../../../base/errors/invalidRequest.ts';
import type { Services } from '../../services.ts';
import type { SessionAudioInput } from '../session/sessionConfig.ts';

const SENT_RATE = 24_000;
// What recognisers take, and the detector of speech.
const HEARD = VOICE_FORMATS.get('pcm_16000')!;
const SAMPLES_A_MS = HEARD.sampleRate / 1_000;
const FRAME_MS = VOICE_FRAME_SAMPLES / SAMPLES_A_MS;
/** The longest turn: a longer one is cut. */
export const TURN_MS_MAX = 300_000;
/** The shortest turn: a shorter one has no word. */
export const COMMITTED_MS_MIN = 100;
// Speech goes on while it is a little less likely than where it began.
const HYSTERESIS = 0.15;

/** What happened in the sound, in order. Times count from the first sound of the session. */
export type Heard =
  | { kind: 'started'; itemId: string; atMs: number }
  | { kind: 'stopped'; itemId: string; atMs: number; samples: Int16Array[] };

/** How long samples of a turn last. */
export const durationMsOf = (samples: Int16Array[]): number =>
  samples.reduce((sum, { length }) => sum + length, 0) / SAMPLES_A_MS;

/** Samples at 24 kHz as recognisers take them. */
export async function asHeard(bytes: Buffer): Promise<Int16Array> {
  const encoder = await openEncodedStream(HEARD);
  try {
    const parts: Buffer[] = [];
    for (const slice of encoder.slicesOf({ pcm: samplesIn(bytes), sampleRate: SENT_RATE }))
      parts.push(Buffer.from(encoder.push(slice)));
    return samplesIn(Buffer.concat([...parts, encoder.end()]));
  } finally {
    encoder.close();
  }
}

const samplesIn = ({ buffer, byteOffset, length }: Buffer) =>
  new Int16Array(buffer.slice(byteOffset, byteOffset + length) as ArrayBuffer);

/** The input of a session: sound as it arrives, and the turns in it. Memory is bounded by the longest turn. */
export class InputBuffer {
  #encoder: Awaited<ReturnType<typeof openEncodedStream>> | undefined;
  #detector: VoiceActivity | undefined;
  #detection: SessionAudioInput['turn_detection'];
  readonly #services: Pick<Services, 'config' | 'engines'>;
  readonly #sentRate: number;
  /** Not yet a whole frame. */
  #rest = new Int16Array(0);
  /** The turn so far, or what may become its beginning. */
  #frames: Int16Array[] = [];
  #framesMs = 0;
  #speech: { itemId: string; silentMs: number } | undefined;
  #totalMs = 0;
  #appending: Promise<unknown> = Promise.resolve();
  #isClosing = false;

  constructor(
    detection: SessionAudioInput['turn_detection'],
    services: Pick<Services, 'config' | 'engines'>,
    sentRate = SENT_RATE,
  ) {
    this.#detection = detection;
    this.#services = services;
    this.#sentRate = sentRate;
  }

  set detection(detection: SessionAudioInput['turn_detection']) {
    this.#detection = detection;
    if (detection === null) this.#speech = undefined;
  }

  get isSpeaking(): boolean {
    return this.#speech !== undefined;
  }

  /** Where the sound is, in milliseconds since its beginning. */
  get endMs(): number {
    return Math.round(this.#totalMs);
  }

  /** How much sound waits for the end of its turn. */
  get heldMs(): number {
    return this.#framesMs + this.#rest.length / SAMPLES_A_MS;
  }

  /** Takes 16-bit samples at the rate of the session; one call at a time. */
  append(bytes: Buffer): Promise<Heard[]> {
    const heard = this.#append(bytes);
    this.#appending = heard.catch(() => {});
    return heard;
  }

  async #append(bytes: Buffer): Promise<Heard[]> {
    if (this.#isClosing) return [];
    this.#encoder ??= await openEncodedStream(HEARD);
    const heard: Heard[] = [];
    for (const slice of this.#encoder.slicesOf({ pcm: samplesIn(bytes), sampleRate: this.#sentRate })) {
      if (this.#isClosing) return [];
      await this.#listen(samplesIn(this.#encoder.push(slice)), heard);
    }
    return heard;
  }

  /** Ends the turn by hand. Throws where there is less than a tenth of a second. */
  commit(): { itemId: string; samples: Int16Array[] } {
    if (this.heldMs < COMMITTED_MS_MIN)
      throw new InvalidRequest(
        'input_audio_buffer_commit_empty',
        null,
        `The input buffer has ${Math.floor(this.heldMs)} ms of audio. Append at least ${COMMITTED_MS_MIN} ms before you commit.`,
      );
    const itemId = this.#speech?.itemId ?? newId('item');
    const samples = [...this.#frames, this.#rest];
    this.clear();
    return { itemId, samples };
  }

  clear(): void {
    this.#frames = [];
    this.#framesMs = 0;
    this.#rest = new Int16Array(0);
    this.#speech = undefined;
  }

  /** Frees its memory, once the sound that is being heard does not use it any more: native code would end this process. */
  async close(): Promise<void> {
    this.#isClosing = true;
    await this.#appending;
    this.#encoder?.close();
    this.#detector?.close();
  }

  async #listen(samples: Int16Array, heard: Heard[]): Promise<void> {
    const joined = new Int16Array(this.#rest.length + samples.length);
    joined.set(this.#rest);
    joined.set(samples, this.#rest.length);
    let at = 0;
    for (; at + VOICE_FRAME_SAMPLES <= joined.length; at += VOICE_FRAME_SAMPLES)
      await this.#takeFrame(joined.slice(at, at + VOICE_FRAME_SAMPLES), heard);
    this.#rest = joined.slice(at);
  }

  async #takeFrame(frame: Int16Array, heard: Heard[]): Promise<void> {
    this.#frames.push(frame);
    this.#framesMs += FRAME_MS;
    this.#totalMs += FRAME_MS;
    const detection = this.#detection;
    if (detection === null) {
      if (this.#framesMs <= TURN_MS_MAX) return;
      this.clear();
      throw invalidValue(
        'audio',
        `The input buffer has more than ${TURN_MS_MAX / 1_000} s. It is cleared: commit earlier.`,
      );
    }
    this.#detector ??= await this.#openDetector();
    const probability = await this.#detector.probability(Float32Array.from(frame, (sample) => sample / 32_768));
    if (this.#speech) this.#goOn(this.#speech, probability, detection, heard);
    else if (probability >= detection.threshold) this.#begin(heard);
    else this.#keepPrefix(detection.prefix_padding_ms);
  }

  async #openDetector(): Promise<VoiceActivity> {
    const { config, engines } = this.#services;
    return (await engines?.openVoiceActivity(config.embeddedVoice)) ?? openEnergyActivity();
  }

  #begin(heard: Heard[]): void {
    const itemId = newId('item');
    this.#speech = { itemId, silentMs: 0 };
    heard.push({ kind: 'started', itemId, atMs: Math.max(0, Math.round(this.#totalMs - this.#framesMs)) });
  }

  #goOn(
    speech: { itemId: string; silentMs: number },
    probability: number,
    { threshold, silence_duration_ms: silenceMs }: NonNullable<SessionAudioInput['turn_detection']>,
    heard: Heard[],
  ): void {
    speech.silentMs = probability >= Math.max(0.01, threshold - HYSTERESIS) ? 0 : speech.silentMs + FRAME_MS;
    if (speech.silentMs < silenceMs && this.#framesMs < TURN_MS_MAX) return;
    heard.push({ kind: 'stopped', itemId: speech.itemId, atMs: this.endMs, samples: this.#frames });
    this.#frames = [];
    this.#framesMs = 0;
    this.#speech = undefined;
  }

  #keepPrefix(prefixMs: number): void {
    while (this.#framesMs > prefixMs && this.#frames.length > 0) {
      this.#frames.shift();
      this.#framesMs -= FRAME_MS;
    }
  }
}
