import type { InferEntity } from '@mikro-orm/core';
import type { Pool } from 'pg';
import type { LazyOrm } from '../postgres/lazyOrm.ts';
import type { Voice } from '../entities/voice.ts';
import type { Queryable } from '../postgres/queryable.ts';
import { inWorkspace } from '../postgres/tenant.ts';
import { inTransaction } from '../postgres/transaction.ts';

export type VoiceRow = InferEntity<typeof Voice>;

/** A sample that a voice was cloned from: the file that holds it, as ElevenLabs lists it. */
export interface VoiceSample {
  sample_id: string;
  file_id: string;
  file_name: string;
  mime_type: string;
  size_bytes: number;
  hash: string;
}

export interface NewVoice {
  id: string;
  workspaceId: string;
  name: string;
  description: string | null;
  labels: Record<string, string>;
  measure: object;
  samples: VoiceSample[];
  /** Its ids at the upstreams that have cloned it too, by their names. */
  upstreamIds: Record<string, string>;
}

/** Keeps a cloned voice. False: the workspace has `voicesMax` already, and nothing is kept. */
export function createVoice(pool: Pool, voice: NewVoice, voicesMax: number): Promise<boolean> {
  const values = [
    voice.id,
    voice.workspaceId,
    voice.name,
    voice.description,
    JSON.stringify(voice.labels),
    JSON.stringify(voice.measure),
    JSON.stringify(voice.samples),
    JSON.stringify(voice.upstreamIds),
    voicesMax,
  ];
  return inTransaction(pool, async (client) => {
    // Makes the count exact: other new voices of this workspace wait.
    await client.query("select pg_advisory_xact_lock(hashtextextended('voices of ' || $1, 0))", [voice.workspaceId]);
    const { rowCount } = await client.query(CREATE, values);
    return rowCount === 1;
  });
}

const CREATE = `
insert into voices (id, workspace_id, name, description, labels, measure, samples, upstream_ids)
select $1, $2, $3, $4, $5, $6, $7, $8
where (select count(*) from voices where workspace_id = $2 and deleted_at is null) < $9`;

/** How many cloned voices the workspace has. */
export async function countVoices(pool: Queryable, workspaceId: string): Promise<number> {
  const { rows } = await pool.query<{ count: number }>(
    'select count(*)::int as count from voices where workspace_id = $1 and deleted_at is null',
    [workspaceId],
  );
  return rows[0]!.count;
}

/** A cloned voice of the workspace, or undefined when it is unknown, removed or another's. */
export async function findVoice(orm: LazyOrm, workspaceId: string, id: string): Promise<VoiceRow | undefined> {
  const row = await inWorkspace(orm, workspaceId, (em, { Voice }) =>
    em.findOne(Voice, { workspaceId, id, deletedAt: null }),
  );
  return row ?? undefined;
}

/** The workspace's cloned voices, the oldest first. */
export function listVoices(orm: LazyOrm, workspaceId: string): Promise<VoiceRow[]> {
  return inWorkspace(orm, workspaceId, (em, { Voice }) =>
    em.find(Voice, { workspaceId, deletedAt: null }, { orderBy: { createdAt: 'asc', id: 'asc' } }),
  );
}

/** What an edit may change; a member that is not given stays. */
export interface VoiceChange {
  name?: string;
  description?: string | null;
  labels?: Record<string, string>;
  settings?: object;
  measure?: object;
  addedSamples?: VoiceSample[];
}

/** Changes a voice of the workspace. False: there is none of that id. */
export async function changeVoice(
  pool: Queryable,
  { workspaceId, id, change }: { workspaceId: string; id: string; change: VoiceChange },
): Promise<boolean> {
  const { rowCount } = await pool.query(CHANGE, [id, workspaceId, JSON.stringify(change)]);
  return rowCount === 1;
}

// A member of the change is there or is not: its value may be null.
const CHANGE = `
update voices v set
  name = case when c ? 'name' then c ->> 'name' else v.name end,
  description = case when c ? 'description' then c ->> 'description' else v.description end,
  labels = coalesce(c -> 'labels', v.labels), settings = coalesce(c -> 'settings', v.settings),
  measure = coalesce(c -> 'measure', v.measure), samples = v.samples || coalesce(c -> 'addedSamples', '[]')
from (select $3::jsonb as c) given
where v.id = $1 and v.workspace_id = $2 and v.deleted_at is null`;

/** Removes a voice. What was spoken with it stays in the history. False: there is none of that id. */
export async function deleteVoice(pool: Queryable, workspaceId: string, id: string): Promise<boolean> {
  const { rowCount } = await pool.query(
    'update voices set deleted_at = now() where id = $1 and workspace_id = $2 and deleted_at is null',
    [id, workspaceId],
  );
  return rowCount === 1;
}
