import type { InferEntity } from '@mikro-orm/core';
import type { LazyOrm } from '../postgres/lazyOrm.ts';
import type { SessionEntry } from '../entities/session.ts';
import { readFiles, type StoredFile } from '../files/readFiles.ts';
import { entryNotFound, sessionNotFound, StorageRefused } from '../files/upload.ts';
import { inWorkspace, type Entities, type EntityManager } from '../postgres/tenant.ts';
import { isBusy } from './sessions.ts';

/** A file or a directory of a session. `path` is relative to the session, its parts separated by '/'. */
export interface Entry {
  id: string;
  sessionId: string;
  parentId: string | null;
  name: string;
  path: string;
  file: StoredFile | null;
  revisionId: string;
  updatedAt: Date;
}

/** One page of a directory, and how the session's files stand. */
export interface EntryPage {
  entries: Entry[];
  hasMore: boolean;
  generation: number;
  isBusy: boolean;
  /** The newest step of a run that wrote files; null when none ever did. */
  saving: Saving | null;
}

export interface Saving {
  id: string;
  runId: string;
  toolStepId: string;
  lastCommittedGeneration: number;
  state: 'saving' | 'saved' | 'failed';
  recovery: 'none' | 'retrying' | 'required';
  error: { message: string; type: string; param: string | null; code: string } | null;
}

interface Page {
  workspaceId: string;
  sessionId: string;
  parentId: string | null;
  /** The name after which the page starts. */
  after: string | null;
  limit: number;
}

/** A page of a directory by name; `parentId` null is the top. Throws `session_not_found`, `entry_not_found`, `not_a_directory`. */
export function listEntries(orm: LazyOrm, page: Page): Promise<EntryPage> {
  const { workspaceId, sessionId, parentId, limit } = page;
  return inWorkspace(orm, workspaceId, async (em, entities) => {
    const session = await em.findOne(entities.Session, { id: sessionId, workspaceId, deletedAt: null });
    if (!session) throw sessionNotFound(sessionId);
    if (parentId !== null) await checkIsDirectory(em, entities, page, parentId);
    const ids = await em.execute<{ id: string }[]>(PAGE, [sessionId, parentId, page.after, page.after, limit + 1]);
    const entries = await readEntries(
      em,
      entities,
      page,
      ids.slice(0, limit).map(({ id }) => id),
    );
    return {
      entries,
      hasMore: ids.length > limit,
      generation: session.directoryGeneration,
      isBusy: await isBusy(em, entities, sessionId),
      saving: await readSaving(em, entities, sessionId),
    };
  });
}

/** One entry of a session. Throws `entry_not_found`. */
export function findEntry(
  orm: LazyOrm,
  { workspaceId, sessionId, id }: { workspaceId: string; sessionId: string; id: string },
): Promise<{ entry: Entry; generation: number }> {
  return inWorkspace(orm, workspaceId, async (em, entities) => {
    const session = await em.findOne(entities.Session, { id: sessionId, workspaceId, deletedAt: null });
    if (!session) throw sessionNotFound(sessionId);
    const [entry] = await readEntries(em, entities, { workspaceId, sessionId }, [id]);
    if (!entry) throw entryNotFound(id);
    return { entry, generation: session.directoryGeneration };
  });
}

type Scope = Pick<Page, 'workspaceId' | 'sessionId'>;

async function readEntries(
  em: EntityManager,
  entities: Entities,
  { workspaceId, sessionId }: Scope,
  ids: string[],
): Promise<Entry[]> {
  if (ids.length === 0) return [];
  const rows = await em.find(entities.SessionEntry, { id: ids, sessionId, workspaceId });
  const fileIds = rows.map(({ fileId }) => fileId).filter((id) => typeof id === 'string');
  const files = new Map((await readFiles(em, entities, workspaceId, fileIds)).map((file) => [file.id, file]));
  // All entries of a page have one parent.
  const prefix = await pathOf(em, rows[0]?.parentId ?? null);
  const byId = new Map(rows.map((row) => [row.id, entryOf(row, prefix, files)]));
  return ids.map((id) => byId.get(id)).filter((entry) => entry !== undefined);
}

function entryOf(row: InferEntity<typeof SessionEntry>, prefix: string, files: Map<string, StoredFile>): Entry {
  const { id, sessionId, parentId = null, name, revisionId, updatedAt } = row;
  const file = row.fileId ? (files.get(row.fileId) ?? null) : null;
  return { id, sessionId, parentId, name, path: prefix + name, file, revisionId, updatedAt };
}

async function checkIsDirectory(
  em: EntityManager,
  { SessionEntry }: Entities,
  { workspaceId, sessionId }: Scope,
  id: string,
): Promise<void> {
  const parent = await em.findOne(SessionEntry, { id, sessionId, workspaceId });
  if (!parent) throw entryNotFound(id);
  if (parent.kind !== 'directory') throw new StorageRefused('not_a_directory', `'${parent.name}' is a file.`);
}

async function pathOf(em: EntityManager, directoryId: string | null): Promise<string> {
  if (directoryId === null) return '';
  const rows = await em.execute<{ name: string }[]>(ANCESTORS, [directoryId]);
  return rows.map(({ name }) => `${name}/`).join('');
}

async function readSaving(em: EntityManager, { SaveOperation }: Entities, sessionId: string): Promise<Saving | null> {
  const [row] = await em.find(SaveOperation, { sessionId }, { orderBy: { createdAt: 'desc' }, limit: 1 });
  if (!row) return null;
  const { id, runId, toolStepId, lastCommittedGeneration, state, recovery, error = null } = row;
  return { id, runId, toolStepId, lastCommittedGeneration, state, recovery, error } as Saving;
}

// An expired file is gone, although its entry is there until the next sweep.
const PAGE = `
select e.id from session_entries e left join files f on f.id = e.file_id
where e.session_id = ? and e.parent_id is not distinct from ? and (?::text is null or e.name > ?)
  and (e.file_id is null or (f.deleted_at is null and (f.expires_at is null or f.expires_at > now())))
order by e.name limit ?`;

const ANCESTORS = `
with recursive up as (
  select parent_id, name, 1 as level from session_entries where id = ?
  union all select e.parent_id, e.name, up.level + 1 from session_entries e join up on e.id = up.parent_id where up.level < 100)
select name from up order by level desc`;
