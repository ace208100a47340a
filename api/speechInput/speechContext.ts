import { refused } from '../voice/voiceSchema.ts';
import type { MultiSpeechInputFrame } from './frames.ts';
import { Speaker, type Speech } from './speaker.ts';
import { TextBuffer, type TextBufferOptions } from './textBuffer.ts';

/**
 * One speech of a socket: its text arrives in frames and is spoken in chunks. Ends by itself when no frame comes for `idleMs` and nothing is
 * left to speak: what then still waits for its chunk is not spoken.
 */
export class SpeechContext {
  readonly speaker: Speaker;
  readonly #buffer: TextBuffer;
  readonly #idle: NodeJS.Timeout;
  readonly #first: MultiSpeechInputFrame;
  #isEnding = false;
  #hasText = false;

  constructor(
    speech: Speech,
    { idleMs, first, ...options }: TextBufferOptions & { idleMs: number; first: MultiSpeechInputFrame },
  ) {
    this.#first = first;
    this.#buffer = new TextBuffer(options);
    this.#idle = setTimeout(() => this.speaker.isResting && this.stop(), idleMs);
    this.speaker = new Speaker({
      ...speech,
      onRest: () => {
        this.#awaitFrame();
        speech.onRest();
      },
    });
  }

  /** Takes the text of a frame, and what is to be done with it. */
  accept(frame: MultiSpeechInputFrame): void {
    const { text = '', flush = false, try_trigger_generation: isTriggered = false } = frame;
    if (this.#isEnding) return;
    refuseChanges(this.#first, frame);
    this.#awaitFrame();
    // Clients begin with a blank, which is no speech.
    this.#hasText ||= text.trim() !== '';
    if (this.#hasText) this.speaker.say(this.#buffer.add(text, { isTriggered }));
    if (!flush) return;
    this.speaker.say(this.#buffer.flush());
    this.speaker.flush();
  }

  /** Speaks everything, then ends. */
  end(): void {
    if (this.#isEnding) return;
    this.speaker.say(this.#buffer.flush());
    this.#conclude();
    this.speaker.end();
  }

  /** Speaks what was flushed, then ends. */
  stop(): void {
    if (this.#isEnding) return;
    this.#conclude();
    this.speaker.stop();
  }

  close(): Promise<void> {
    this.#conclude();
    return this.speaker.close();
  }

  #conclude(): void {
    this.#isEnding = true;
    clearTimeout(this.#idle);
  }

  #awaitFrame(): void {
    if (!this.#isEnding) this.#idle.refresh();
  }
}

/** A part of a speech has no voice of its own: what the first frame has set stays. */
function refuseChanges(first: MultiSpeechInputFrame, frame: MultiSpeechInputFrame): void {
  const changed = (['voice_settings', 'generation_config'] as const).find(
    (name) => frame[name] !== undefined && JSON.stringify(frame[name]) !== JSON.stringify(first[name]),
  );
  if (changed) throw refused(changed, 'Set it in the first frame: it cannot change during a speech.');
}
