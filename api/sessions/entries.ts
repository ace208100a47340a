import { FILE_BYTES_MAX, SESSION_BYTES_MAX } from '../../db/files/upload.ts';
import type { Entry, EntryPage, Revision, Saving } from '../../db/sessions/readEntries.ts';
import type { Context } from '../context.ts';
import { presentFile } from '../files/presentFile.ts';
import type { SessionFile, SessionFileList, SessionFileRevision } from './sessionAnswers.ts';
import { ifMatchOf } from './ifMatch.ts';
import type { z } from 'zod';

/** A file or a directory of a session. */
export function presentEntry(entry: Entry): z.infer<typeof SessionFile> {
  return {
    id: entry.id,
    session_id: entry.sessionId,
    parent_id: entry.parentId ?? rootIdOf(entry.sessionId),
    name: entry.name,
    path: entry.path,
    kind: entry.file ? 'file' : 'directory',
    file: entry.file && presentFile(entry.file),
    revision_id: entry.revisionId,
    updated_at: entry.updatedAt.toISOString(),
  };
}

/** A current or former content of a session's file. */
export function presentRevision({ id, createdAt, file, isCurrent }: Revision): z.infer<typeof SessionFileRevision> {
  return { id, is_current: isCurrent, file: presentFile(file), created_at: createdAt.toISOString() };
}

/** A page of a session's directory, with the state of the session's files. */
export function presentListing(
  { entries, hasMore, generation, isBusy, saving }: EntryPage,
  nextCursor: string | null,
): z.infer<typeof SessionFileList> {
  const open = saving && saving.state !== 'saved' ? saving : null;
  return {
    data: entries.map(presentEntry),
    has_more: hasMore,
    next_cursor: nextCursor,
    directory_generation: generation,
    save_state: open?.state ?? 'saved',
    save_error: open?.error ?? null,
    save_operation: open && presentSaving(open),
    busy: isBusy,
    max_file_bytes: FILE_BYTES_MAX,
    storage_limit_bytes: SESSION_BYTES_MAX,
  };
}

function presentSaving(saving: Saving) {
  return {
    id: saving.id,
    run_id: saving.runId,
    tool_step_id: saving.toolStepId,
    last_committed_generation: saving.lastCommittedGeneration,
    state: saving.state,
    recovery: saving.recovery,
    error: saving.error,
  };
}

/** The id of a session's top directory: the `parent_id` of its entries. It is not an entry itself. */
const rootIdOf = (sessionId: string): string => sessionId.replace(/^ses_/, 'ent_');

/** The directory that a caller names. Null, an omitted value and the top's id all mean the top directory, which is null in the database. */
export function directoryOf(sessionId: string, parentId: string | null | undefined): string | null {
  return !parentId || parentId === rootIdOf(sessionId) ? null : parentId;
}

/** The directory generation that the caller expects; undefined for any. */
export const ifGenerationOf = (ctx: Context): number | undefined =>
  ifMatchOf(ctx, 'dir', 'the directory_generation of the listing');

/** Sets the ETag of the session's directory generation. */
export function setDirectoryEtag(ctx: Context, generation: number): void {
  ctx.set('etag', `"dir-${generation}"`);
}
