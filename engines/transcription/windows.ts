/** The rate of the samples of every transcription. */
export const SAMPLE_RATE = 16_000;

const FRAME = SAMPLE_RATE / 50;
// This many consecutive frames are a pause between words.
const PAUSE_FRAMES = 10;

/** A piece of audio with its position in the whole. */
export interface SoundWindow {
  samples: Int16Array;
  startMs: number;
}

/**
 * Cuts audio into windows of at most so many seconds, each but the last at the quietest place of its second half: there, the fewest words
 * are cut.
 * @returns the samples of the whole.
 */
export async function* windowsOf(
  audio: AsyncIterable<Int16Array>,
  seconds: number,
): AsyncGenerator<SoundWindow, number> {
  const held = new Int16Array(seconds * SAMPLE_RATE);
  let length = 0;
  let start = 0;
  for await (const samples of audio) {
    for (let at = 0; at < samples.length;) {
      const more = samples.subarray(at, at + held.length - length);
      held.set(more, length);
      length += more.length;
      at += more.length;
      if (length < held.length) continue;
      const cut = quietest(held);
      yield { samples: held.slice(0, cut), startMs: (start * 1000) / SAMPLE_RATE };
      held.copyWithin(0, cut);
      start += cut;
      length -= cut;
    }
  }
  if (length > 0) yield { samples: held.slice(0, length), startMs: (start * 1000) / SAMPLE_RATE };
  return start + length;
}

/** The middle of the quietest pause in the second half; among equal ones, the last. */
function quietest(samples: Int16Array): number {
  const levels: number[] = [];
  for (let at = samples.length >> 1; at + FRAME <= samples.length; at += FRAME) {
    levels.push(samples.subarray(at, at + FRAME).reduce((sum, sample) => sum + sample * sample, 0));
  }
  let sum = levels.slice(0, PAUSE_FRAMES).reduce((total, level) => total + level, 0);
  let best = { at: 0, sum };
  for (let at = 1; at + PAUSE_FRAMES <= levels.length; at++) {
    sum += levels[at + PAUSE_FRAMES - 1]! - levels[at - 1]!;
    if (sum <= best.sum) best = { at, sum };
  }
  return (samples.length >> 1) + (best.at + PAUSE_FRAMES / 2) * FRAME;
}

/** Whether the samples are silence: below a hundredth of a quiet speaker's level. */
export function isSilent(samples: Int16Array): boolean {
  return samples.every((sample) => sample > -50 && sample < 50);
}
