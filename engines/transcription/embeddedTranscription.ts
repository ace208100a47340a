import type { CallSignal } from '../../providers/provider.ts';
import { ProviderError } from '../../providers/provider.ts';
import type { TranscriptionEvent, TranscriptionOptions, TranscriptionProvider } from '../../providers/speech.ts';
import { findEngine } from '../fetching/engine.ts';
import { whisper } from '../fetching/engineList.ts';
import type { TranscriptionLimits } from './heard.ts';
import { createPocketsphinxTranscription } from './pocketsphinxTranscription.ts';
import { createWhisperTranscription } from './whisperTranscription.ts';

export interface EmbeddedTranscriptionOptions extends TranscriptionLimits {
  /** Whether the neural recogniser is used if it is there. */
  isNeural: boolean;
}

// As long as it takes to fetch a broken engine again.
const BROKEN_MS = 5 * 60_000;
const BROKE = 'The recogniser that takes a prompt does not start on this machine. Leave the prompt out.';

/**
 * Transcription of English in separate processes: by Whisper once it has been fetched; before that, and if it does not run, by
 * PocketSphinx. Silence and noise give an empty text.
 */
export function createEmbeddedTranscription({ isNeural, ...limits }: EmbeddedTranscriptionOptions) {
  const basic = createPocketsphinxTranscription(limits);
  let neural: ReturnType<typeof createWhisperTranscription> | undefined;
  let brokenUntilMs = 0;

  const folderOfNeural = () =>
    isNeural && Date.now() > brokenUntilMs ? findEngine(limits.dataDir, whisper) : undefined;

  async function best(): Promise<TranscriptionProvider> {
    const folder = folderOfNeural();
    if (!folder) return basic;
    neural ??= createWhisperTranscription({ ...limits, folder });
    try {
      await neural.ready();
      return neural;
    } catch {
      brokenUntilMs = Date.now() + BROKEN_MS;
      return basic;
    }
  }

  async function* transcribe(
    audio: AsyncIterable<Int16Array>,
    options: TranscriptionOptions,
    signal: CallSignal,
  ): AsyncGenerator<TranscriptionEvent> {
    if (signal.aborted) throw signal.reason;
    const recogniser = await best();
    if (recogniser === basic && options.prompt) throw new ProviderError('unavailable', BROKE);
    yield* recogniser.transcribe(audio, options, signal);
  }

  /** Whether the recogniser of the next call accepts a prompt. */
  const takesPrompt = () => folderOfNeural() !== undefined;

  /** Starts a recogniser for a call that will come. */
  async function prepare(): Promise<void> {
    if ((await best()) === basic) await basic.prepare();
  }

  const close = async () => void (await Promise.all([basic.close(), neural?.close()]));
  return { transcribe, takesPrompt, prepare, close };
}
