import { invalidRequest, notFound } from '../errors/requestErrors.ts';

export const voiceNotFound = (id: string) =>
  notFound(`A voice with the voice_id ${id.slice(0, 256)} was not found.`, 'voice_not_found');

/** As ElevenLabs says it: callers look for its code in `detail.status`. */
export const voiceLimitReached = (voicesMax: number) =>
  invalidRequest(
    'voice_limit_reached',
    `You have reached your maximum amount of custom voices (${voicesMax} / ${voicesMax}). Remove one to add another.`,
  );
