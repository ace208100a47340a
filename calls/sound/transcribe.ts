import type { Model } from '../../db/catalog/catalog.ts';
import { ProviderError, type CallSignal } from '../../providers/provider.ts';
import type {
  TranscribedSegment,
  Transcript,
  TranscriptionEvent,
  TranscriptionOptions,
} from '../../providers/speech.ts';
import type { SoundServices } from '../services.ts';
import type { AudioInput, AudioWork } from './audioCall.ts';

type Services = Pick<SoundServices, 'voiceProviders'>;

/** The input of a transcription model. */
export interface TranscriptionOrder {
  model: Model;
  options: TranscriptionOptions;
}

/** A whole transcript, and what of the audio it is of. */
export interface WholeTranscript {
  transcript: Transcript;
  input: AudioInput;
}

/** Transcribes audio into one whole transcript. */
export const wholeTranscription = (services: Services, order: TranscriptionOrder): AudioWork<WholeTranscript> => ({
  produce: async (input, abort) => ({ transcript: await transcribe(services, order, input, abort), input }),
});

/** What a segment adds to the transcript so far. */
export const deltaOf = (before: string, { text, isGlued }: Pick<TranscribedSegment, 'text' | 'isGlued'>): string =>
  before === '' || isGlued ? text : ` ${text}`;

/** The transcript of a sound. `onSegment` is called with each part on the way, and may keep the engine waiting. */
export async function transcribe(
  { voiceProviders }: Services,
  { model, options }: TranscriptionOrder,
  { held, audio }: AudioInput,
  abort: CallSignal,
  onSegment?: (event: Extract<TranscriptionEvent, { type: 'segment' }>) => Promise<void> | undefined,
): Promise<Transcript> {
  for await (const event of voiceProviders.transcription(model).transcribe(held, audio, options, abort)) {
    if (event.type === 'done') return event.transcript;
    await onSegment?.(event);
  }
  throw new ProviderError('failed', 'the transcription has no end');
}
