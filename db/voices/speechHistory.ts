import type { InferEntity } from '@mikro-orm/core';
import type { SpeechHistoryItem } from '../entities/voice.ts';
import { deleteInPortions } from '../postgres/deleteInPortions.ts';
import type { Queryable } from '../postgres/queryable.ts';
import { isUnknownPlace, readPage, type PageQuery } from '../postgres/page.ts';
import type { Rows } from '../postgres/rows.ts';

export type SpeechHistoryRow = InferEntity<typeof SpeechHistoryItem>;

/** A produced speech. `fileId` is null when its audio was not stored. */
export type NewSpeech = Omit<SpeechHistoryRow, 'workspaceId' | 'createdAt' | 'deletedAt' | 'expiresAt'> & {
  /** For how many days it is kept; null: until it is removed. */
  keptDays?: number | null;
};

/** Stores a speech, idempotent by id. */
export async function recordSpeech(rows: Rows, { keptDays = null, ...speech }: NewSpeech): Promise<void> {
  await rows.statement(({ em, sql, SpeechHistoryItem, workspaceId }) =>
    em
      .qb(SpeechHistoryItem)
      .insert({
        ...speech,
        workspaceId,
        expiresAt: keptDays === null ? null : sql`ledger_now(${workspaceId}) + make_interval(days => ${keptDays})`,
      })
      .onConflict('id')
      .ignore()
      .execute('run'),
  );
}

/** An item of the workspace, or undefined when it is unknown, removed or of another workspace. */
export async function findSpeech(rows: Rows, id: string): Promise<SpeechHistoryRow | undefined> {
  const item = await rows.statement(({ em, SpeechHistoryItem, unexpired }) =>
    em.findOne(SpeechHistoryItem, { id, deletedAt: null, ...unexpired() }),
  );
  return item ?? undefined;
}

/** Filters of the history: undefined members match everything. Times are Unix seconds. */
export interface SpeechFilter {
  voiceId?: string;
  modelIds?: string[];
  source?: 'TTS' | 'STS';
  /** Words in the text, case-insensitive. */
  search?: string;
  /** Inclusive. */
  from?: number;
  /** Exclusive. */
  before?: number;
}

/** A page of the workspace's speech by its time; undefined when `after` is no item. The list goes on after removed items. */
export function listSpeech(
  rows: Rows,
  { filter, ...page }: PageQuery & { filter: SpeechFilter },
): Promise<{ rows: SpeechHistoryRow[]; hasMore: boolean } | undefined> {
  const { voiceId, modelIds, source, search, from, before } = filter;
  return rows.transaction(async (tx) => {
    if (page.after !== null && (await isUnknownPlace(tx, tx.SpeechHistoryItem, page.after))) return undefined;
    const wanted = [
      { deletedAt: null, ...tx.unexpired() },
      voiceId !== undefined && { voiceId },
      source !== undefined && { source },
      modelIds !== undefined && { modelId: { $in: modelIds } },
      from !== undefined && { createdAt: { $gte: new Date(from * SECOND_MS) } },
      before !== undefined && { createdAt: { $lt: new Date(before * SECOND_MS) } },
      search !== undefined && { [tx.sql`strpos(lower(text), lower(${search})) > 0`]: [] },
    ];
    return readPage(tx, tx.SpeechHistoryItem, { $and: wanted.filter((one) => one !== false) }, page);
  });
}

const SECOND_MS = 1_000;

/** Removes an item of these projects (null: of any); returns its audio file, or undefined when there is no such item. */
export function deleteSpeech(
  rows: Rows,
  id: string,
  projectIds: readonly string[] | null,
): Promise<{ fileId: string | null } | undefined> {
  return rows.transaction(async (tx) => {
    const { em, SpeechHistoryItem, LockMode, sql } = tx;
    const lockMode = LockMode.PESSIMISTIC_WRITE;
    const isSeen = projectIds && { projectId: { $in: [...projectIds] } };
    const item = await em.findOne(SpeechHistoryItem, { id, deletedAt: null, ...isSeen }, { lockMode });
    if (!item) return undefined;
    await em.nativeUpdate(SpeechHistoryItem, { id }, { deletedAt: sql.now() });
    return { fileId: item.fileId };
  });
}

/** Deletes speech whose days have passed. Its audio is a file that expires with it. Returns how many. */
export const pruneSpeech = (client: Queryable): Promise<number> =>
  deleteInPortions(client, 'speech_history', 'expires_at < now()');
