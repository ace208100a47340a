const BYTES_A_MS = 48;
const FRAME_MS = 20;
const FRAME_BYTES = FRAME_MS * BYTES_A_MS;
const SAMPLE_BYTES = 2;
// The mean loudness of a speech frame: silence and line noise have less.
const SPEECH_LOUDNESS = 300;

/** When a turn begins and ends; null: the client decides. */
export type TurnDetection = { prefix_padding_ms: number; silence_duration_ms: number } | null;

/** Events in the audio, in order. Times count from the first audio of the session. */
export type Heard = { kind: 'started'; atMs: number } | { kind: 'stopped'; atMs: number; soundMs: number };

/** The audio received by a test session, and its turns: everything louder than silence is speech, so the result is always the same. */
export class TestInput {
  detection: TurnDetection = null;
  #rest = Buffer.alloc(0);
  /** The turn so far, or its possible beginning. */
  #heldMs = 0;
  #silentMs = 0;
  #totalMs = 0;
  #isSpeaking = false;

  /** The duration of audio waiting for the end of its turn. */
  get heldMs(): number {
    return this.#heldMs + this.#rest.length / BYTES_A_MS;
  }

  /** Takes 16-bit samples at 24 kHz. */
  append(bytes: Buffer): Heard[] {
    const sound = Buffer.concat([this.#rest, bytes]);
    const heard: Heard[] = [];
    let at = 0;
    for (; at + FRAME_BYTES <= sound.length; at += FRAME_BYTES)
      this.#take(isLoud(sound.subarray(at, at + FRAME_BYTES)), heard);
    this.#rest = Buffer.from(sound.subarray(at));
    return heard;
  }

  clear(): void {
    this.#rest = Buffer.alloc(0);
    this.#heldMs = 0;
    this.#isSpeaking = false;
  }

  #take(isSpeech: boolean, heard: Heard[]): void {
    const { detection } = this;
    this.#totalMs += FRAME_MS;
    this.#heldMs += FRAME_MS;
    if (!detection) return;
    this.#silentMs = isSpeech ? 0 : this.#silentMs + FRAME_MS;
    if (!this.#isSpeaking && !isSpeech) this.#heldMs = Math.min(this.#heldMs, detection.prefix_padding_ms);
    else if (!this.#isSpeaking) {
      this.#isSpeaking = true;
      heard.push({ kind: 'started', atMs: this.#totalMs - this.#heldMs });
    } else if (this.#silentMs >= detection.silence_duration_ms) {
      heard.push({ kind: 'stopped', atMs: this.#totalMs, soundMs: this.#heldMs });
      this.#heldMs = 0;
      this.#isSpeaking = false;
    }
  }
}

function isLoud(frame: Buffer): boolean {
  let sum = 0;
  for (let at = 0; at < frame.length; at += SAMPLE_BYTES) sum += Math.abs(frame.readInt16LE(at));
  return (sum * SAMPLE_BYTES) / frame.length > SPEECH_LOUDNESS;
}
