import type { InferEntity } from '@mikro-orm/core';
import type { LazyOrm } from '../postgres/lazyOrm.ts';
import type { SpeechHistoryItem } from '../entities/voice.ts';
import type { Queryable } from '../postgres/queryable.ts';
import { inWorkspace } from '../postgres/tenant.ts';

export type SpeechHistoryRow = InferEntity<typeof SpeechHistoryItem>;

/** A piece of speech that was made. `fileId` is null when its audio was not kept. */
export interface NewSpeech {
  id: string;
  workspaceId: string;
  requestId: string;
  source: 'TTS' | 'STS';
  voiceId: string;
  voiceName: string;
  voiceCategory: 'premade' | 'cloned';
  modelId: string;
  text: string;
  characters: number;
  contentType: string;
  outputFormat: string;
  settings: object | null;
  fileId: string | null;
}

/** Keeps what was spoken, once for each id. */
export async function recordSpeech(pool: Queryable, speech: NewSpeech): Promise<void> {
  await pool.query(RECORD, [
    speech.id,
    speech.workspaceId,
    speech.requestId,
    speech.source,
    speech.voiceId,
    speech.voiceName,
    speech.voiceCategory,
    speech.modelId,
    speech.text,
    speech.characters,
    speech.contentType,
    speech.outputFormat,
    speech.settings && JSON.stringify(speech.settings),
    speech.fileId,
  ]);
}

const RECORD = `
insert into speech_history (id, workspace_id, request_id, source, voice_id, voice_name, voice_category, model_id, text, characters,
  content_type, output_format, settings, file_id)
values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14) on conflict do nothing`;

/** An item of the workspace, or undefined when it is unknown, removed or another's. */
export async function findSpeech(orm: LazyOrm, workspaceId: string, id: string): Promise<SpeechHistoryRow | undefined> {
  const where = { workspaceId, id, deletedAt: null };
  return (
    (await inWorkspace(orm, workspaceId, (em, { SpeechHistoryItem }) => em.findOne(SpeechHistoryItem, where))) ??
    undefined
  );
}

/** Filters of the history: undefined members match everything. Times are Unix seconds. */
export interface SpeechFilter {
  voiceId?: string;
  modelIds?: string[];
  source?: 'TTS' | 'STS';
  /** Words in the text, in any case. */
  search?: string;
  /** From then on. */
  from?: number;
  /** Earlier than that. */
  before?: number;
}

/** The workspace's speech by its time: what fits, after the item `after`, at most `limit`, and whether more follows. */
export function listSpeech(
  orm: LazyOrm,
  query: { workspaceId: string; after: string | null; filter: SpeechFilter; direction: 'asc' | 'desc'; limit: number },
): Promise<{ items: SpeechHistoryRow[]; hasMore: boolean }> {
  const { workspaceId, after, filter, direction, limit } = query;
  return inWorkspace(orm, workspaceId, async (em, { SpeechHistoryItem }) => {
    const values = [JSON.stringify(filter), workspaceId, after, after, limit + 1];
    const found = await em.execute<{ id: string }[]>(PAGES[direction], values);
    const ids = found.slice(0, limit).map(({ id }) => id);
    const items = await em.find(
      SpeechHistoryItem,
      { workspaceId, id: ids },
      { orderBy: { createdAt: direction, id: direction } },
    );
    return { items, hasMore: found.length > limit };
  });
}

const page = (direction: 'asc' | 'desc', follows: '>' | '<') => `
select h.id from speech_history h, (select ?::jsonb as f) given
where h.workspace_id = ? and h.deleted_at is null
  and (f ->> 'voiceId' is null or h.voice_id = f ->> 'voiceId') and (f ->> 'source' is null or h.source = f ->> 'source')
  and (f -> 'modelIds' is null or jsonb_exists(f -> 'modelIds', h.model_id))
  and (f ->> 'search' is null or strpos(lower(h.text), lower(f ->> 'search')) > 0)
  and (f ->> 'from' is null or h.created_at >= to_timestamp((f ->> 'from')::float8))
  and (f ->> 'before' is null or h.created_at < to_timestamp((f ->> 'before')::float8))
  and (?::text is null or (h.created_at, h.id) ${follows} (select a.created_at, a.id from speech_history a where a.id = ?))
order by h.created_at ${direction}, h.id ${direction} limit ?`;

const PAGES = { asc: page('asc', '>'), desc: page('desc', '<') };

/** Removes an item; returns the file that held its audio, or undefined when there is no such item. */
export async function deleteSpeech(
  pool: Queryable,
  workspaceId: string,
  id: string,
): Promise<{ fileId: string | null } | undefined> {
  const { rows } = await pool.query<{ fileId: string | null }>(
    'update speech_history set deleted_at = now() where id = $1 and workspace_id = $2 and deleted_at is null returning file_id as "fileId"',
    [id, workspaceId],
  );
  return rows[0];
}
