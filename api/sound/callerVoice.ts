import { findVoice } from '../../db/voices/voices.ts';
import type { ClonedVoice, VoiceMeasure, VoiceSettings } from '../../providers/speech.ts';
import { findPresetVoice } from '../../providers/voices.ts';
import type { Services } from '../services.ts';

/** A voice as a caller may use it: a preset by any of its names, or one that the workspace has cloned. */
export interface CallerVoice {
  /** As the caller named it. */
  id: string;
  name: string;
  category: 'premade' | 'cloned';
  /** What engines know it by. */
  voice: string | ClonedVoice;
  /** How it speaks unless a request says otherwise. */
  settings: (VoiceSettings & { speed?: number }) | null;
}

/** The voice of that id or name, or undefined: unknown, removed or another workspace's. */
export async function findCallerVoice(
  { db }: Services,
  workspaceId: string,
  id: string,
): Promise<CallerVoice | undefined> {
  const preset = findPresetVoice(id);
  // Under the name it was asked for: an upstream of that vendor has a voice of just that name.
  if (preset) return { id, name: preset.name, category: 'premade', voice: id, settings: null };
  const cloned = await findVoice(db.orm, workspaceId, id);
  if (!cloned) return undefined;
  return {
    id: cloned.id,
    name: cloned.name,
    category: 'cloned',
    voice: { ...(cloned.measure as VoiceMeasure), upstreamIds: cloned.upstreamIds as Record<string, string> },
    settings: cloned.settings ?? null,
  };
}
