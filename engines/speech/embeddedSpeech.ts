import { ProviderError } from '../../providers/provider.ts';
import type { CallSignal } from '../../providers/provider.ts';
import type { SpeechChunk, SpeechInput, SpeechProvider } from '../../providers/speech.ts';
import type { EmbeddedVoice } from '../../providers/voices.ts';
import type { NeuralVoices, Speaker } from '../neuralVoice/neuralVoices.ts';
import { FlitePool } from '../flite/flitePool.ts';
import { linkedSignal } from '../../providers/callAbort.ts';
import { readPhones, readWordSounds } from '../flite/phones.ts';
import { piecesOf } from './pieces.ts';
import { isSilent, speakable } from '../pronunciation/speakable.ts';
import { engineVoiceOf } from './engineVoice.ts';
import { marksOfPiece, wordsOf, wordTimes } from '../pronunciation/wordTimes.ts';

export interface EmbeddedSpeechOptions {
  /** Sentences synthesised at once. */
  threads: number;
  /** Concurrent speech calls; further ones are refused as `overloaded`. */
  callsMax: number;
  /** They replace Flite where they can. */
  neural?: NeuralVoices;
}

const ENGINE_RATE = 16_000;
const WAV_HEADER_BYTES = 44;
const SILENCE_MS = 200;
// A neural voice takes nearly as long as its speech lasts: a short first piece is heard soon, and the next ones are ready in time.
const NEURAL_PIECES = { firstMax: 40, othersMax: 120 };

/**
 * Speech in English, by the voices of Flite or by neural ones. Each sentence is synthesised while the previous one is read, never further
 * ahead. `settings`, `seed`, `instructions` and the context of the text have no effect on these voices: an engine always gives the same
 * audio for the same input. A piece of text without anything to speak gives a short silence.
 */
export function createEmbeddedSpeech({ threads, callsMax, neural }: EmbeddedSpeechOptions) {
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
      const speaker = await neural?.speakerOf(input);
      const byFlite = () =>
        inOrder(piecesOf(input.text, { speed: input.speed }), (piece) =>
          synthesise(pool, piece, voice, input, link.signal),
        );
      yield* speaker ? spokenBy(speaker, input, link.signal, byFlite) : byFlite();
    } finally {
      calls -= 1;
      link.release();
    }
  }

  const provider: SpeechProvider = { speak };
  return { ...provider, close: async () => void (await Promise.all([pool.close(), neural?.close()])) };
}

/** Speech by a neural voice; if that fails before the first sound, by the fallback. */
async function* spokenBy(
  speaker: Speaker,
  input: SpeechInput,
  signal: AbortSignal,
  otherwise: () => AsyncIterable<SpeechChunk>,
): AsyncGenerator<SpeechChunk> {
  let hasStarted = false;
  try {
    for await (const chunk of inOrder(piecesOf(input.text, { ...NEURAL_PIECES, speed: input.speed }), (piece) =>
      speaker.speak(piece, input, signal),
    )) {
      hasStarted = true;
      yield chunk;
    }
  } catch (error) {
    if (hasStarted || !speaker.isReplaceable || signal.aborted) throw error;
    yield* otherwise();
  } finally {
    speaker.close();
  }
}

/** Yields the pieces' audio in order, with times from the beginning. The next piece is produced while one is read. */
async function* inOrder(
  pieces: string[],
  synthesise: (piece: string) => Promise<SpeechChunk>,
): AsyncGenerator<SpeechChunk> {
  let startMs = 0;
  let next = pieces.length > 0 ? synthesise(pieces[0]!) : undefined;
  for (let at = 0; next; at++) {
    const chunk: SpeechChunk = await next;
    next = at + 1 < pieces.length ? synthesise(pieces[at + 1]!) : undefined;
    // A caller that stops earlier ignores it; then its failure has no handler.
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
  // After a semicolon the voice always pauses; after a full stop it treats some words as abbreviations.
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
  return marksOfPiece(piece, words, times, endMs);
}

/** Assigns the sounds in order, to each word a share by its length: for words with inseparable sounds. */
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
  return { ...chunk, marks: marksOfPiece(piece, words, times, SILENCE_MS) };
}

function samplesOf(file: Uint8Array): Int16Array {
  return new Int16Array(
    file.buffer.slice(file.byteOffset + WAV_HEADER_BYTES, file.byteOffset + file.byteLength) as ArrayBuffer,
  );
}

function moved(chunk: SpeechChunk, byMs: number): SpeechChunk {
  if (!chunk.marks || byMs === 0) return chunk;
  const { words, characters, normalized } = chunk.marks;
  const move = <T extends { startMs: number; endMs: number }>(span: T): T => ({
    ...span,
    startMs: span.startMs + byMs,
    endMs: span.endMs + byMs,
  });
  return {
    ...chunk,
    marks: { words: words.map(move), characters: characters.map(move), normalized: normalized.map(move) },
  };
}
