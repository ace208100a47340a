import { createPlaces } from '../../base/places.ts';
import { linkedSignal } from '../../providers/callAbort.ts';
import type { CallSignal } from '../../providers/provider.ts';
import type {
  TranscribedSegment,
  TranscribedWord,
  TranscriptionEvent,
  TranscriptionOptions,
  TranscriptionProvider,
} from '../../providers/speech.ts';
import type { Cue } from '../../providers/voiceUpstream/cues.ts';
import { refuseFull, segmentOf, transcriptOf, type TranscriptionLimits } from './heard.ts';
import type { HeardWindow } from './whisperChild.ts';
import { createWhisperPool } from './whisperPool.ts';
import { isSilent, SAMPLE_RATE, windowsOf, type SoundWindow } from './windows.ts';

// The model was trained on half minutes. Shorter windows cost a third of the time and some words.
const WINDOW_SECONDS = 30;
const LIVE_WINDOW_SECONDS = 10;
// Together they mean that there is no speech: the model writes text for noise too, with low confidence.
const NO_SPEECH_MIN = 0.6;
const NO_SPEECH_LOGPROB_MAX = -0.5;
const PAUSE_MS = 1500;
const ABBREVIATION = /^(mr|mrs|ms|dr|prof|st|sr|jr|vs)\.$/i;

/**
 * Transcription by Whisper's small model of English, with case and punctuation. Segments are sentences; their times and those of words
 * come from the model's attention. A prompt precedes each window as preceding text. A translation equals a transcription.
 */
export function createWhisperTranscription({
  folder,
  processes,
  waitingMax,
}: Omit<TranscriptionLimits, 'dataDir'> & { folder: string }) {
  const pool = createWhisperPool({ folder, processes });
  const calls = createPlaces({ atOnce: processes + waitingMax, waitingMax: 0 });

  async function* transcribe(
    audio: AsyncIterable<Int16Array>,
    { isLive = false, prompt }: TranscriptionOptions,
    signal: CallSignal,
  ): AsyncGenerator<TranscriptionEvent> {
    if (signal.aborted) throw signal.reason;
    const link = linkedSignal(signal);
    const leave = await calls.take().catch(refuseFull);
    const seconds = isLive ? LIVE_WINDOW_SECONDS : WINDOW_SECONDS;
    const segments: TranscribedSegment[] = [];
    const words: TranscribedWord[] = [];
    try {
      const windows = windowsOf(audio, seconds);
      let window = await windows.next();
      for (; !window.done; window = await windows.next()) {
        if (signal.aborted) throw signal.reason;
        const { samples } = window.value;
        if (isSilent(samples)) continue;
        const heard = await pool.recognise({ samples, seconds, prompt }, link.signal);
        for (const sentence of sentencesOf(heard, window.value)) {
          segments.push(sentence.segment);
          words.push(...sentence.words);
          yield { type: 'segment', ...sentence };
        }
      }
      yield { type: 'done', transcript: transcriptOf(segments, words, window.value / SAMPLE_RATE) };
    } finally {
      leave();
      link.release();
    }
  }

  const provider: TranscriptionProvider = { transcribe };
  return { ...provider, ready: pool.ready, close: pool.close };
}

function sentencesOf(heard: HeardWindow, { startMs }: SoundWindow): Cue[] {
  if (heard.noSpeech > NO_SPEECH_MIN && heard.logprob < NO_SPEECH_LOGPROB_MAX) return [];
  const sentences: { words: TranscribedWord[]; tokens: number[] }[] = [];
  for (const [text, start, end, confidence, tokens] of heard.words) {
    if (text === '') continue;
    const word = { text, startMs: startMs + start * 1000, endMs: startMs + end * 1000, confidence };
    const last = sentences.at(-1);
    if (!last || isEnd(last.words.at(-1)!, word)) sentences.push({ words: [word], tokens: [...tokens] });
    else {
      last.words.push(word);
      last.tokens.push(...tokens);
    }
  }
  return sentences.map(({ words, tokens }) => {
    const decoding = {
      seek: Math.round(startMs / 10),
      tokens,
      temperature: 0,
      avgLogprob: heard.logprob,
      noSpeechProb: heard.noSpeech,
    };
    return { segment: { ...segmentOf(words), decoding }, words };
  });
}

function isEnd({ text, endMs }: TranscribedWord, next: TranscribedWord): boolean {
  return (/[.?!]["')\]]?$/.test(text) && !ABBREVIATION.test(text)) || next.startMs - endMs > PAUSE_MS;
}
