import { ProviderError } from '../../provider.ts';
import type { CallSignal } from '../../provider.ts';
import type { SpeechChunk, SpeechInput, SpeechProvider } from '../../speech.ts';
import type { EmbeddedVoice } from '../../voices.ts';
import { FlitePool } from './flitePool.ts';
import { linkedSignal } from '../../callAbort.ts';
import { readPhones, readWordSounds } from './phones.ts';
import { piecesOf } from './pieces.ts';
import { isSilent, speakable } from './speakable.ts';
import { engineVoiceOf } from './engineVoice.ts';
import { characterTimes, wordsOf, wordTimes } from './wordTimes.ts';

export interface EmbeddedSpeechOptions {
  /** Sentences synthesised at once. */
  threads: number;
  /** Speeches under way at once; a further one is refused as `overloaded`. */
  callsMax: number;
}

const ENGINE_RATE = 16_000;
const WAV_HEADER_BYTES = 44;
const SILENCE_MS = 200;

/**
 * Speech by the voices of Flite, in English. Each sentence is synthesised while the one before it is taken, never further ahead.
 * `settings`, `seed`, `instructions` and the context of the text have no effect on these voices: the same input always gives
 * the same sound. Text that holds nothing they can say gives a short silence.
 */
export function createEmbeddedSpeech({ threads, callsMax }: EmbeddedSpeechOptions) {
  const pool = new FlitePool(threads);
  let calls = 0;

  async function* speak(input: SpeechInput, signal: CallSignal): AsyncGenerator<SpeechChunk> {
    if (signal.aborted) throw signal.reason;
    if (calls >= callsMax)
      throw new ProviderError('overloaded', 'too many speeches are under way', { retryAfterMs: 1000 });
    const voice = engineVoiceOf(input.voice);
    const link = linkedSignal(signal);
    calls += 1;
    try {
      yield* inOrder(piecesOf(input.text), (piece) => synthesise(pool, piece, voice, input, link.signal));
    } finally {
      calls -= 1;
      link.release();
    }
  }

  const provider: SpeechProvider = { speak };
  return { ...provider, close: () => pool.close() };
}

/** Yields the pieces' sound in order, with times that count from the beginning. The next one is made while one is taken. */
async function* inOrder(
  pieces: string[],
  synthesise: (piece: string) => Promise<SpeechChunk>,
): AsyncGenerator<SpeechChunk> {
  let startMs = 0;
  let next = pieces.length > 0 ? synthesise(pieces[0]!) : undefined;
  for (let at = 0; next; at++) {
    const chunk: SpeechChunk = await next;
    next = at + 1 < pieces.length ? synthesise(pieces[at + 1]!) : undefined;
    // A caller that stops before it is needed ignores it; then its failure has no handler.
    next?.catch(() => undefined);
    yield moved(chunk, startMs);
    startMs += (chunk.pcm.length * 1000) / chunk.sampleRate;
  }
}

async function synthesise(
  pool: FlitePool,
  piece: string,
  voice: EmbeddedVoice,
  { speed = 1, marks = false }: SpeechInput,
  signal: AbortSignal,
): Promise<SpeechChunk> {
  const sampleRate = Math.round(ENGINE_RATE * voice.formants);
  const spoken = speakable(piece);
  if (isSilent(spoken)) return silence(piece, sampleRate, marks);
  const stretch = voice.formants / (speed * voice.rate);
  const features = [`f0_shift=${voice.pitch}`, `duration_stretch=${stretch.toFixed(4)}`];
  const { stdout, file } = await pool.run(
    [
      'flite',
      '-voice',
      voice.flite,
      ...features.flatMap((feature) => ['--setf', feature]),
      '-psdur',
      '-t',
      spoken,
      '-o',
      'out.wav',
    ],
    signal,
  );
  const pcm = samplesOf(file);
  const chunk: SpeechChunk = { pcm, sampleRate, characters: Array.from(piece).length };
  if (marks) chunk.marks = await marksOf(pool, piece, stdout, chunk, signal);
  return chunk;
}

/** The times of words, from the engine's times of sounds and from the sounds of each word alone. */
async function marksOf(pool: FlitePool, piece: string, printed: string, chunk: SpeechChunk, signal: AbortSignal) {
  const words = wordsOf(piece);
  const alone = words.map(({ text }) => speakable(text).replaceAll(/^[^\w$]+|[^\w%]+$/g, ''));
  const said = alone.filter((word) => !isSilent(word));
  // After a semicolon the voice always pauses; after a full stop it takes some words for abbreviations.
  const list = said.map((word) => `${word};`).join(' ');
  const { stdout } = await pool.run(['flite', '-voice', 'kal', '-ps', '-t', list, '-o', 'none'], signal);
  const phones = readPhones(printed, chunk.sampleRate / ENGINE_RATE);
  const heard = readWordSounds(stdout);
  const sounds =
    heard.length === said.length
      ? heard
      : sharedOut(
          said,
          phones.map(({ name }) => name),
        );
  let next = 0;
  const times = wordTimes(
    words,
    alone.map((word) => (isSilent(word) ? [] : sounds[next++]!)),
    phones,
  );
  const endMs = (chunk.pcm.length * 1000) / chunk.sampleRate;
  return { words: times, characters: characterTimes(piece, words, times, endMs) };
}

/** The sounds in order, to each word a share by its length: for words whose sounds cannot be separated. */
function sharedOut(words: string[], sounds: string[]): string[][] {
  const total = words.reduce((sum, word) => sum + word.length, 0);
  let before = 0;
  return words.map((word) => {
    const start = Math.round((before * sounds.length) / total);
    before += word.length;
    return sounds.slice(start, Math.round((before * sounds.length) / total));
  });
}

function silence(piece: string, sampleRate: number, marks: boolean): SpeechChunk {
  const pcm = new Int16Array(Math.round((sampleRate * SILENCE_MS) / 1000));
  const chunk: SpeechChunk = { pcm, sampleRate, characters: Array.from(piece).length };
  if (!marks) return chunk;
  const words = wordsOf(piece);
  const times = wordTimes(
    words,
    words.map(() => []),
    [],
  );
  return { ...chunk, marks: { words: times, characters: characterTimes(piece, words, times, SILENCE_MS) } };
}

function samplesOf(file: Uint8Array): Int16Array {
  return new Int16Array(
    file.buffer.slice(file.byteOffset + WAV_HEADER_BYTES, file.byteOffset + file.byteLength) as ArrayBuffer,
  );
}

function moved(chunk: SpeechChunk, byMs: number): SpeechChunk {
  if (!chunk.marks || byMs === 0) return chunk;
  const { words, characters } = chunk.marks;
  const move = <T extends { startMs: number; endMs: number }>(span: T): T => ({
    ...span,
    startMs: span.startMs + byMs,
    endMs: span.endMs + byMs,
  });
  return { ...chunk, marks: { words: words.map(move), characters: characters.map(move) } };
}
