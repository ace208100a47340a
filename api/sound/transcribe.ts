import type { Model } from '../../db/catalog.ts';
import { ProviderError } from '../../providers/provider.ts';
import type { Transcript, TranscriptionEvent, TranscriptionOptions } from '../../providers/speech.ts';
import type { Services } from '../services.ts';
import type { AudioCall } from './audioCall.ts';

/** What an engine hears in a sound, as it hears it. */
export function transcribe(
  { voiceProviders }: Services,
  { call, model, options }: { call: AudioCall; model: Model; options: TranscriptionOptions },
): AsyncIterable<TranscriptionEvent> {
  return voiceProviders.transcription(model).transcribe(call.audio, options, call.abort);
}

/** The whole of it. `onSegment` is told each part on the way, and may keep the engine waiting. */
export async function wholeOf(
  events: AsyncIterable<TranscriptionEvent>,
  onSegment?: (event: Extract<TranscriptionEvent, { type: 'segment' }>) => Promise<void> | undefined,
): Promise<Transcript> {
  for await (const event of events) {
    if (event.type === 'done') return event.transcript;
    await onSegment?.(event);
  }
  throw new ProviderError('failed', 'the transcription has no end');
}
