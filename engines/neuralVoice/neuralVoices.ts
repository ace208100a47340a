import { createPlaces } from '../../base/places.ts';
import { ProviderError } from '../../providers/provider.ts';
import type { SpeechChunk, SpeechInput } from '../../providers/speech.ts';
import { findPresetVoice, type PresetVoice } from '../../providers/voices.ts';
import { findEngine } from '../fetching/engine.ts';
import { onnxRuntime } from '../fetching/engineList.ts';
import { kokoro, piper, pronunciations } from '../fetching/voiceEngines.ts';
import {
  startVoiceThread,
  type SpokenPiece,
  type VoiceOrder,
  type VoiceSpeed,
  type VoiceThread,
} from './voiceThread.ts';

/** The upstream's id of the model that only Kokoro speaks. */
export const HD_MODEL = 'kokoro-82m';

const ENGINES = { kokoro, piper };
type EngineName = keyof typeof ENGINES;

export interface NeuralVoiceOptions {
  dataDir: string;
  /** Whether neural engines are used once they have been fetched. */
  isNeural: boolean;
  /** The engine for preset voices: `auto` is Kokoro if it is fast enough and free, otherwise Flite. */
  voices: 'auto' | 'flite' | 'piper' | 'kokoro';
  /** Gets the measured speed, as text. */
  report?: (text: string) => void;
  /** Replaces the thread in tests. */
  startThread?: typeof startVoiceThread;
}

/** Speaks the pieces of one call. */
export interface Speaker {
  /** Whether Flite may replace it, when it fails before the first sound. */
  isReplaceable: boolean;
  speak: (piece: string, given: { speed?: number; marks?: boolean }, signal: AbortSignal) => Promise<SpeechChunk>;
  close: () => void;
}

export type NeuralVoices = ReturnType<typeof createNeuralVoices>;

const IDLE_MS = 10 * 60_000;
const SLOW_MS = 5 * 60_000;
// On a machine that has just started, other processes come first. Files that are fetched later are seen by then.
const PRELOAD_MS = 10_000;
// A machine may be busy during the measurement: only a second slow result counts.
const MEASURED_SLOW_MAX = 2;
// A voice is fast enough to be the default when a short sentence begins soon, and is spoken in clearly less time than it lasts.
const SENTENCE_MS_MAX = 1500;
const SHARE_MAX = 0.75;
// Calls that share one voice: further ones would wait for minutes.
const CALLS_MAX = 8;

/**
 * The neural voices of this machine. Each runs in its own thread, loaded in the background once its files are there or by its first call,
 * and leaves memory after ten idle minutes.
 */
export function createNeuralVoices(options: NeuralVoiceOptions) {
  const { dataDir, isNeural, voices, report = () => {}, startThread = startVoiceThread } = options;
  const loaded = new Map<EngineName, LoadedVoice>();
  let [slowUntilMs, measuredSlow] = [0, 0];
  let preloading: NodeJS.Timeout | undefined;

  function foldersOf(name: EngineName) {
    if (!isNeural) return undefined;
    const folder = findEngine(dataDir, ENGINES[name]);
    const runtime = findEngine(dataDir, onnxRuntime);
    const dictionary = findEngine(dataDir, pronunciations);
    return folder && runtime && dictionary ? { engine: name, folder, runtime, dictionary } : undefined;
  }

  function load(name: EngineName): LoadedVoice | undefined {
    const known = loaded.get(name);
    if (known && !known.thread.hasEnded()) return known;
    const folders = foldersOf(name);
    if (!folders) return undefined;
    const voice = new LoadedVoice(startThread(folders), () => loaded.delete(name));
    loaded.set(name, voice);
    void measured(name, voice);
    return voice;
  }

  async function measured(name: EngineName, voice: LoadedVoice): Promise<void> {
    const { title } = ENGINES[name];
    try {
      const speed = await voice.thread.ready;
      report(measureText(title, speed));
      if (name === 'kokoro') judge(voice, speed);
    } catch (error) {
      report(`${title} could not be loaded: ${(error as Error).message}`);
      if (voices === 'auto') slowUntilMs = Infinity;
    }
  }

  function judge(voice: LoadedVoice, { sentenceMs, soundMs }: VoiceSpeed): void {
    voice.wasFast = sentenceMs < SENTENCE_MS_MAX && sentenceMs < SHARE_MAX * soundMs;
    if (voice.wasFast || voices !== 'auto') return;
    measuredSlow += 1;
    slowUntilMs = measuredSlow < MEASURED_SLOW_MAX ? Date.now() + SLOW_MS : Infinity;
    // Calls of the HD model keep it.
    if (voice.calls === 0) void voice.thread.end();
  }

  /** The engine that speaks a model's preset, if it is on this machine. */
  function engineNameOf(model: string | undefined, { gender }: PresetVoice): EngineName | undefined {
    if (model === HD_MODEL) return 'kokoro';
    if (voices === 'piper') return gender === 'male' && foldersOf('piper') ? 'piper' : undefined;
    if (voices === 'flite' || !foldersOf('kokoro')) return undefined;
    return voices === 'kokoro' || Date.now() > slowUntilMs ? 'kokoro' : undefined;
  }

  /**
   * The speaker of a call; undefined if Flite speaks.
   * @throws ProviderError `unavailable` if only one engine speaks the model and it has not been fetched.
   */
  async function speakerOf({ model, voice }: SpeechInput): Promise<Speaker | undefined> {
    const preset = typeof voice === 'string' ? findPresetVoice(voice) : undefined;
    const name = preset && engineNameOf(model, preset);
    if (!preset || !name) return undefined;
    const found = load(name);
    if (!found) throw new ProviderError('unavailable', HD_IS_MISSING);
    const isAutomatic = model !== HD_MODEL && voices === 'auto';
    // An automatic call does not wait for a load or for another call: Flite speaks meanwhile.
    if (isAutomatic && (!found.isFast || found.calls > 0)) return undefined;
    if (found.calls >= CALLS_MAX)
      throw new ProviderError('overloaded', 'too many neural speeches are under way', { retryAfterMs: 5000 });
    return found.open(orderOf(name, preset), {
      isReplaceable: model !== HD_MODEL,
      onPace: isAutomatic ? keepPace : undefined,
    });
  }

  /** A machine that has become busy speaks with Flite for a while. */
  function keepPace(share: number): void {
    if (share > 1) slowUntilMs = Date.now() + SLOW_MS;
  }

  function preloadFound(): void {
    const name = voices === 'piper' ? 'piper' : 'kokoro';
    if (!foldersOf(name)) return;
    clearInterval(preloading);
    load(name);
  }

  return {
    speakerOf,
    /** Loads and measures the voice of the configuration in the background, as soon as its files are there. */
    preload(): void {
      if (isNeural && voices !== 'flite') preloading ??= setInterval(preloadFound, PRELOAD_MS).unref();
    },
    /** The engine that currently speaks a model's preset, and whether it is on this machine. */
    engineOf(model: string | undefined, preset: PresetVoice): { engine: string; isReady: boolean } {
      const name = engineNameOf(model, preset);
      const isLater = model !== HD_MODEL && voices === 'auto' && !(name && loaded.get(name)?.isFast);
      if (!name || isLater) return { engine: 'flite', isReady: true };
      return { engine: name === 'kokoro' ? 'kokoro-82m' : 'piper-joe', isReady: foldersOf(name) !== undefined };
    },
    close: async () => {
      clearInterval(preloading);
      await Promise.all([...loaded.values()].map(({ thread }) => thread.end()));
    },
  };
}

const HD_IS_MISSING =
  'The HD voices are not on this machine yet: npm start fetches them in the background unless EMBEDDED_ENGINES is basic. ' +
  'Until then, use the other speech model.';

/** How an engine speaks a preset: Kokoro has a voice for each, Piper's only voice is played faster or slower. */
function orderOf(name: EngineName, { embedded }: PresetVoice): { voice: string; pace: number; formants: number } {
  return name === 'kokoro'
    ? { voice: embedded.kokoro, pace: 1, formants: 1 }
    : { voice: 'joe', pace: embedded.rate, formants: embedded.formants };
}

function measureText(title: string, { sentenceMs, soundMs }: VoiceSpeed): string {
  return `Loaded ${title}: a sentence of ${(soundMs / 1000).toFixed(1)} s takes ${(sentenceMs / 1000).toFixed(1)} s here.`;
}

/** A voice in memory. */
class LoadedVoice {
  readonly thread: VoiceThread;
  /** Running calls. */
  calls = 0;
  /** Whether it was fast enough for all calls when it had loaded. */
  wasFast = false;
  readonly #onEnd: () => void;
  readonly #places = createPlaces({ atOnce: 1 });
  #timer: NodeJS.Timeout | undefined;

  constructor(thread: VoiceThread, onEnd: () => void) {
    this.thread = thread;
    this.#onEnd = onEnd;
    this.#rest();
  }

  /** Whether it speaks at once and fast enough for all calls. */
  get isFast(): boolean {
    return this.wasFast && !this.thread.hasEnded();
  }

  open(
    { voice, pace, formants }: { voice: string; pace: number; formants: number },
    { isReplaceable, onPace }: { isReplaceable: boolean; onPace?: (share: number) => void },
  ): Speaker {
    this.calls += 1;
    clearTimeout(this.#timer);
    return {
      isReplaceable,
      speak: async (piece, { speed = 1, marks = false }, signal) => {
        const startMs = performance.now();
        const order = { piece, voice, speed: (speed * pace) / formants, marks };
        const chunk = await this.#speak(order, formants, signal);
        onPace?.((performance.now() - startMs) / ((chunk.pcm.length * 1000) / chunk.sampleRate));
        return chunk;
      },
      close: () => {
        this.calls -= 1;
        if (this.calls === 0) this.#rest();
      },
    };
  }

  /** A disconnected caller stops waiting at once; the current piece is finished, because restarting its thread would cost more. */
  async #speak(order: VoiceOrder, formants: number, signal: AbortSignal): Promise<SpeechChunk> {
    signal.throwIfAborted();
    const left = Promise.withResolvers<never>();
    const leave = () => left.reject(signal.reason);
    signal.addEventListener('abort', leave, { once: true });
    try {
      const { pcm, sampleRate, marks } = await Promise.race([this.#speakInTurn(order, signal), left.promise]);
      const characters = Array.from(order.piece).length;
      const chunk = { pcm, sampleRate: Math.round(sampleRate * formants), characters };
      return marks ? { ...chunk, marks: inRate(marks, formants) } : chunk;
    } catch (error) {
      signal.throwIfAborted();
      throw new ProviderError('failed', `the voice broke: ${(error as Error).message}`, { cause: error });
    } finally {
      signal.removeEventListener('abort', leave);
    }
  }

  async #speakInTurn(order: VoiceOrder, signal: AbortSignal): Promise<SpokenPiece> {
    const leave = await this.#places.take({ signal });
    return this.thread.speak(order).finally(leave);
  }

  #rest(): void {
    const leave = () => {
      this.#onEnd();
      void this.thread.end();
    };
    this.#timer = setTimeout(leave, IDLE_MS).unref();
  }
}

/** Times of audio that is played faster. */
function inRate(marks: NonNullable<SpeechChunk['marks']>, rate: number): NonNullable<SpeechChunk['marks']> {
  const faster = <T extends { startMs: number; endMs: number }>(span: T): T => ({
    ...span,
    startMs: span.startMs / rate,
    endMs: span.endMs / rate,
  });
  return {
    words: marks.words.map(faster),
    characters: marks.characters.map(faster),
    normalized: marks.normalized.map(faster),
  };
}
