import type { Model } from '../../db/catalog/catalog.ts';

import { ProviderError, type CallSignal } from '../../providers/provider.ts';
import type { Transcript, TranscriptionEvent, TranscriptionOptions } from '../../providers/speech.ts';
import type { Context } from '../../api/context.ts';
import { setPricedHeaders } from '../reserve.ts';
import type { Services } from '../../api/services.ts';
import type { AudioInput, AudioWork } from './audioCall.ts';

/** The input of a transcription model. */
export interface TranscriptionOrder {
  model: Model;
  options: TranscriptionOptions;
}

/** Transcribes audio; `present` answers with the whole transcript once its bill is on disk. */
export function wholeTranscription(
  ctx: Context,
  services: Services,
  order: TranscriptionOrder,
  present: (transcript: Transcript, durationMs: number) => void,
): AudioWork {
  let transcript: Transcript;
  return {
    setsBody: true,
    produce: async (input, abort) => {
      transcript = await transcribe(services, order, input, abort);
    },
    present: (input) => {
      setPricedHeaders(ctx, input);
      present(transcript, input.durationMs);
    },
  };
}

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
