import type { SpokenSpan } from '../../providers/speech.ts';
import { send, type Marks, type SoundSink } from '../sound/soundSink.ts';

/** One JSON object, written piece by piece: hours of speech are never held. */
export function soundWithTimes(): SoundSink {
  const all: Marks[] = [];
  let rest: Buffer = Buffer.alloc(0);
  let hasBegun = false;
  return {
    mediaType: 'application/json; charset=utf-8',
    isUsableInPart: false,
    write: (res, sound, marks) => {
      all.push(...marks);
      const bytes = Buffer.concat([rest, sound]);
      // Base64 joins without a seam after every third byte.
      const length = bytes.length - (bytes.length % 3);
      rest = bytes.subarray(length);
      const text = bytes.toString('base64', 0, length);
      const beginning = hasBegun ? '' : '{"audio_base64":"';
      hasBegun = true;
      return send(res, beginning + text);
    },
    end: (res) => void res.end(`${rest.toString('base64')}",${JSON.stringify(timesOf(all)).slice(1)}`),
    fail: (res) => void res.destroy(),
  };
}

/** A JSON object a line, each with some sound and the times that became known with it. */
export function soundInLines(): SoundSink {
  return {
    mediaType: 'application/jsonl; charset=utf-8',
    isUsableInPart: true,
    write: (res, sound, marks) =>
      send(res, `${JSON.stringify({ audio_base64: sound.toString('base64'), ...timesOf(marks) })}\n`),
    end: (res) => void res.end(),
    fail: (res) => void res.destroy(),
  };
}

// What is said is the text as it was sent, so that both alignments are the same.
const timesOf = (marks: Marks[]) => {
  const alignment = alignmentOf(marks);
  return { alignment, normalized_alignment: alignment };
};

/** Characters and their times, in ElevenLabs' form; null when the engine does not know them. */
function alignmentOf(marks: Marks[]): object | null {
  const spans = marks.flatMap(({ characters }) => characters);
  if (spans.length === 0) return null;
  return {
    characters: spans.map(({ text }) => text),
    character_start_times_seconds: spans.map((span: SpokenSpan) => secondsOf(span.startMs)),
    character_end_times_seconds: spans.map((span: SpokenSpan) => secondsOf(span.endMs)),
  };
}

const secondsOf = (ms: number): number => Math.round(ms) / 1000;
