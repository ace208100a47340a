import { platform, setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { loadOnnx } from '../onnx/onnx.ts';
import { handleInTurn } from '../onnx/onnxThread.ts';
import { createLetterToSound } from '../pronunciation/letterToSound.ts';
import { readLexicon, type Lexicon } from '../pronunciation/lexicon.ts';
import { pronounce } from '../pronunciation/pronounce.ts';
import { loadFlite } from '../flite/fliteModule.ts';
import { wordsOf } from '../pronunciation/wordTimes.ts';
import { openKokoro } from './kokoroModel.ts';
import { openPiper } from './piperModel.ts';
import { marksOf, utter } from './utter.ts';
import type { SpokenPiece, VoiceAnswer, VoiceOrder, VoiceThreadData } from './voiceThread.ts';

/** A thread that speaks pieces of text with a neural voice, one after the other. */
const SHORT_SENTENCE = 'Hello there, how can I help you today?';
const SILENCE_SECONDS = 0.2;
const SILENCE_RATE = { kokoro: 24_000, piper: 22_050 };

// Computing a voice takes every core for a second: calls of other kinds come first.
const NICE = 5;

const port = parentPort!;
// Linux lowers the priority of this thread and its children; other systems would lower the whole process.
if (platform() === 'linux') setPriority(NICE);
const { engine, folder, runtime, dictionary, threads } = workerData as VoiceThreadData;
const lexicons = new Map<'us' | 'gb', Lexicon>();
const letters = createLetterToSound(loadFlite);
const ready = load();

handleInTurn(port, (order: VoiceOrder) => answer(async () => ({ spoken: await speak(order) })), answer(measure));

function load() {
  const onnx = loadOnnx(runtime);
  return (engine === 'kokoro' ? openKokoro : openPiper)(onnx, folder, threads);
}

async function answer(work: () => Promise<VoiceAnswer>): Promise<void> {
  const result = await work().catch((error: unknown): VoiceAnswer => ({ error: String(error) }));
  port.postMessage(result, 'spoken' in result ? [result.spoken.pcm.buffer] : []);
}

async function measure(): Promise<VoiceAnswer> {
  const order = { piece: SHORT_SENTENCE, voice: 'af_heart', speed: 1, marks: false };
  // The first call also prepares the model.
  await speak({ ...order, piece: 'Yes.' });
  const startMs = performance.now();
  const { pcm, sampleRate } = await speak(order);
  return { measured: { sentenceMs: performance.now() - startMs, soundMs: (pcm.length * 1000) / sampleRate } };
}

async function speak({ piece, voice, speed, marks }: VoiceOrder): Promise<SpokenPiece> {
  const model = await ready;
  const words = wordsOf(piece);
  const pronunciation = await pronounce(words, { lexicon: lexiconOf(model.accentOf(voice)), letters });
  const utterance = pronunciation.sounds.length > 0 ? await utter(model, pronunciation, { voice, speed }) : silence();
  const { pcm, sampleRate } = utterance;
  return marks ? { pcm, sampleRate, marks: marksOf(piece, words, pronunciation, utterance) } : { pcm, sampleRate };
}

function lexiconOf(accent: 'us' | 'gb'): Lexicon {
  const known = lexicons.get(accent) ?? readLexicon(dictionary, accent);
  lexicons.set(accent, known);
  return known;
}

function silence() {
  const sampleRate = SILENCE_RATE[engine];
  return { pcm: new Int16Array(sampleRate * SILENCE_SECONDS), sampleRate, starts: [], ends: [] };
}
