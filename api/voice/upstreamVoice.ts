import { changeVoice, createVoice, type NewVoice, type VoiceChange } from '../../db/voices/voices.ts';
import type { VoiceOrder } from '../../providers/speech.ts';
import { voiceLimitReached, voiceNotFound } from './presentVoice.ts';
import type { FormFile } from '../guard/multipart.ts';
import type { Services } from '../services.ts';
import type { SpooledFile } from '../sound/spoolFile.ts';

/** How many cloned voices a workspace may have. */
export const VOICES_MAX = 500;

/** A voice as sent to an upstream: the caller's values, with the samples unchanged. */
export async function voiceOrderOf(
  files: FormFile<SpooledFile>[],
  said: Omit<VoiceOrder, 'samples'>,
): Promise<VoiceOrder> {
  const samples = files.map(async ({ filename, content }) => ({ filename, content: await content.blob() }));
  return { ...said, samples: await Promise.all(samples) };
}

/**
 * Makes a voice at the upstreams that speak with cloned ones, and keeps it. Throws 400 `voice_limit_reached` and what an upstream refuses;
 * no upstream has the voice then.
 */
export async function createVoiceEverywhere(
  { db, voiceProviders, log }: Services,
  { voice, order }: { voice: Omit<NewVoice, 'upstreamIds'>; order: VoiceOrder },
): Promise<void> {
  const upstreamIds = await voiceProviders.cloning.add(order);
  try {
    if (!(await createVoice(db.pool, { ...voice, upstreamIds }, VOICES_MAX))) throw voiceLimitReached(VOICES_MAX);
  } catch (error) {
    await voiceProviders.cloning
      .remove(upstreamIds)
      .catch((err: unknown) => log.warn({ err, upstreamIds }, 'an upstream keeps a voice that nobody has'));
    throw error;
  }
}

/** Changes a voice at the upstreams that have it, and then here. Throws 404 `voice_not_found` and what an upstream refuses. */
export async function changeVoiceEverywhere(
  { db, voiceProviders }: Services,
  voice: { workspaceId: string; id: string; upstreamIds: unknown; change: VoiceChange; order: VoiceOrder },
): Promise<void> {
  const { workspaceId, id, upstreamIds, change, order } = voice;
  await voiceProviders.cloning.edit(upstreamIds as Record<string, string>, order);
  if (!(await changeVoice(db.pool, { workspaceId, id, change }))) throw voiceNotFound(id);
}
