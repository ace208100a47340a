import type { InferEntity } from '@mikro-orm/core';
import type { Voice, VoiceSample } from '../entities/voice.ts';
import type { Rows } from '../postgres/rows.ts';
import { takeTurn } from '../postgres/transaction.ts';

export type VoiceRow = InferEntity<typeof Voice>;

export type NewVoice = Pick<VoiceRow, 'id' | 'name' | 'description' | 'measure'> & {
  labels: Record<string, string>;
  samples: VoiceSample[];
  upstreamIds: Record<string, string>;
};

/** The most samples of one voice, however often it is edited. */
export const SAMPLES_MAX = 25;

/** Stores a cloned voice. False: the workspace already has `voicesMax`, and nothing is stored. */
export function createVoice(rows: Rows, voice: NewVoice, voicesMax: number): Promise<boolean> {
  return rows.transaction(async ({ client, em, Voice, workspaceId }) => {
    // Makes the count exact: other new voices of this workspace wait.
    await takeTurn(client, `voices of ${workspaceId}`);
    if ((await em.count(Voice, { deletedAt: null })) >= voicesMax) return false;
    await em.insert(Voice, { ...voice, workspaceId, settings: null });
    return true;
  });
}

/** How many cloned voices the workspace has. */
export const countVoices = (rows: Rows): Promise<number> =>
  rows.statement(({ em, Voice }) => em.count(Voice, { deletedAt: null }));

/** A cloned voice of the workspace, or undefined when it is unknown, removed or of another workspace. */
export async function findVoice(rows: Rows, id: string): Promise<VoiceRow | undefined> {
  return (await rows.statement(({ em, Voice }) => em.findOne(Voice, { id, deletedAt: null }))) ?? undefined;
}

/** The workspace's cloned voices, the oldest first. */
export const readVoices = (rows: Rows): Promise<VoiceRow[]> =>
  rows.statement(({ em, Voice }) => em.find(Voice, { deletedAt: null }, { orderBy: { createdAt: 'asc', id: 'asc' } }));

/** The changes of an edit; omitted members stay, also those of the settings. */
export type VoiceChange = Partial<Pick<VoiceRow, 'name' | 'description' | 'measure'>> & {
  settings?: object;
  labels?: Record<string, string>;
  addedSamples?: VoiceSample[];
};

/** Changes a voice of the workspace; `full`: it would have more samples than it may. */
export async function changeVoice(
  rows: Rows,
  { id, change }: { id: string; change: VoiceChange },
): Promise<'changed' | 'not_found' | 'full'> {
  const { addedSamples = [], settings = {}, ...members } = change;
  const given = Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
  return rows.statement(async ({ em, Voice, sql }) => {
    const samples = sql`samples || ${JSON.stringify(addedSamples)}::jsonb`;
    const changedSettings = sql`nullif(coalesce(settings, '{}') || ${JSON.stringify(settings)}::jsonb, '{}')`;
    const hasRoom = sql`jsonb_array_length(samples) + ${addedSamples.length} <= ${SAMPLES_MAX}`;
    const which = { id, deletedAt: null, ...(addedSamples.length > 0 && { [hasRoom]: [] }) };
    const changed = await em.nativeUpdate(Voice, which, { ...given, samples, settings: changedSettings });
    if (changed === 1) return 'changed';
    return (await em.count(Voice, { id, deletedAt: null })) === 1 ? 'full' : 'not_found';
  });
}

/** Removes a voice; returns its samples, or undefined when there is no such voice. Its speech stays in the history. */
export function removeVoice(rows: Rows, id: string): Promise<VoiceSample[] | undefined> {
  return rows.transaction(async ({ em, Voice, LockMode, sql }) => {
    // Samples may be added at this moment.
    const lockMode = LockMode.PESSIMISTIC_WRITE;
    const voice = await em.findOne(Voice, { id, deletedAt: null }, { lockMode });
    if (!voice) return undefined;
    await em.nativeUpdate(Voice, { id }, { deletedAt: sql.now() });
    return voice.samples;
  });
}
