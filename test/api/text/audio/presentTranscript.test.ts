import { describe, expect, test } from '@jest/globals';
import { presentTranscript } from '../../../../api/text/audio/presentTranscript.ts';
import type { ParsedTranscription } from '../../../../api/text/audio/transcriptionForm.ts';
import type { TranscribedSegment } from '../../../../providers/speech.ts';

const input = { response_format: 'verbose_json' } as ParsedTranscription;

interface Verbose {
  segments: Record<string, unknown>[];
}

function verbose(...segments: TranscribedSegment[]): Verbose {
  const text = segments.map((segment) => segment.text).join(' ');
  const transcript = { text, language: 'en', segments, words: [], durationSeconds: 2 };
  return presentTranscript(transcript, { input, durationMs: 2000, task: 'transcribe' }) as Verbose;
}

const segment = { text: 'Hello you.', startMs: 0, endMs: 900, confidence: 0.75 };

describe('a segment of verbose_json', () => {
  test("has the upstream's values", () => {
    const decoding = {
      seek: 300,
      tokens: [50364, 15947],
      temperature: 0.2,
      avgLogprob: -0.31,
      compressionRatio: 0.8,
      noSpeechProb: 0.03,
    };
    expect(verbose({ ...segment, decoding }).segments).toEqual([
      {
        id: 0,
        seek: 300,
        start: 0,
        end: 0.9,
        text: 'Hello you.',
        tokens: [50364, 15947],
        temperature: 0.2,
        avg_logprob: -0.31,
        compression_ratio: 0.8,
        no_speech_prob: 0.03,
      },
    ]);
  });

  test('has computed values when the engine reports none', () => {
    const { segments } = verbose(segment, { ...segment, text: 'and again '.repeat(40) });
    expect(segments[0]).toMatchObject({ no_speech_prob: 0.25, avg_logprob: Math.log(0.75) });
    expect(segments[0]!.compression_ratio).toBeLessThan(1);
    // Whisper's own limit for a text that repeats itself.
    expect(segments[1]!.compression_ratio).toBeGreaterThan(2.4);
  });
});
