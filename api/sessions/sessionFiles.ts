import type { z } from 'zod';
import { fileNameOf } from '../../db/files/fileName.ts';
import { addSessionEntry, addSessionFile } from '../../db/sessions/addEntries.ts';
import { changeEntry, removeEntry } from '../../db/sessions/changeEntries.ts';
import { findEntry, listEntries, listRevisions, type EntryPage } from '../../db/sessions/readEntries.ts';
import type { Context, Handler } from '../context.ts';
import { runOnce } from '../guard/idempotency.ts';
import { pathId } from '../body/parseWith.ts';
import { answerPage, readRows, type PageInput } from '../http/page.ts';
import type { Services } from '../services.ts';
import {
  ifGenerationOf,
  setDirectoryEtag,
  presentEntry,
  presentListing,
  presentRevision,
  directoryOf,
} from './entries.ts';
import { findCallersFile } from '../../calls/purposeScope.ts';
import { readNewEntry, type NewEntry } from './newEntry.ts';
import { readableTypeOf } from '../files/newFile.ts';
import type { DeletedThing } from '../files/presentFile.ts';
import type { SessionFileListQuery, EntryChangeBody } from './sessionSchema.ts';

/** `GET /v1/sessions/{session_id}/files`: one directory, by name, in pages, with the state of the session's files. */
export function listSessionFiles({ db, cursors }: Services): Handler<z.output<typeof SessionFileListQuery>> {
  return async (ctx) => {
    const { workspaceId } = ctx.state.key;
    const sessionId = pathId(ctx, 'session_id');
    const parentId = directoryOf(sessionId, ctx.state.input.parent_id);
    let listing: EntryPage | undefined;
    const { nextCursor } = await readRows(ctx, cursors, {
      list: `session.files ${sessionId} ${parentId ?? ''}`,
      read: async (page) => {
        listing = await listEntries(db.read(workspaceId), { sessionId, parentId, ...page });
        return { rows: listing.entries, next: listing.hasMore ? listing.entries.at(-1)!.name : null };
      },
    });
    setDirectoryEtag(ctx, listing!.generation);
    ctx.body = presentListing(listing!, nextCursor);
  };
}

/**
 * `POST /v1/sessions/{session_id}/files`: a form with a file, or JSON that names a file or creates a directory. 412 `directory_changed`
 * when `If-Match` is not the current generation, 409 `name_conflict`, 413 `file_too_large` and `storage_limit_exceeded`, 415.
 */
export function createSessionFile(services: Services): Handler {
  const { db } = services;
  return async (ctx) => {
    const sessionId = pathId(ctx, 'session_id');
    const ifGeneration = ifGenerationOf(ctx);
    const entry = await readNewEntry(ctx, services);
    try {
      const request = { ...entry.asked, ifGeneration };
      const work = async () => {
        const made = await addEntry(ctx, services, { sessionId, ifGeneration, entry });
        ctx.status = 201;
        answerEntry(ctx, made);
      };
      await runOnce(ctx, db, { prefix: 'ent', request, work });
    } finally {
      // Drops the bytes of a refused or repeated upload.
      if (entry.kind === 'upload') await entry.bytes.drop().catch(() => {});
    }
  };
}

async function addEntry(
  ctx: Context,
  { db }: Services,
  { sessionId, ifGeneration, entry }: { sessionId: string; ifGeneration: number | undefined; entry: NewEntry },
): Promise<FoundEntry> {
  const parentId = directoryOf(sessionId, entry.parentId);
  const place = { sessionId, id: ctx.state.resourceId, parentId, ifGeneration };
  const { key } = ctx.state;
  const file = entry.kind === 'file' ? await findCallersFile(db, key, entry.fileId, 'file_id') : null;
  const name = fileNameOf(entry.name ?? file!.filename);
  // Read in the transaction that stores it: after an error behind the commit, its own name would be taken.
  return db.write(key.workspaceId).transaction(async (tx) => {
    if (entry.kind === 'upload') {
      const mediaType = readableTypeOf({ filename: name, head: entry.bytes.head });
      await addSessionFile(tx, { ...place, name, bytes: entry.bytes, mediaType });
    } else await addSessionEntry(tx, { ...place, name, fileId: file?.id ?? null });
    return findEntry(tx, place);
  });
}

/** `GET /v1/sessions/{session_id}/files/{entry_id}/revisions`: a file's current and former contents, newest first, in pages. */
export function listSessionFileRevisions({ db, cursors }: Services): Handler<PageInput> {
  return (ctx) => {
    const sessionId = pathId(ctx, 'session_id');
    const id = pathId(ctx, 'entry_id');
    return answerPage(ctx, cursors, {
      list: `session.revisions ${sessionId} ${id}`,
      read: (page) => listRevisions(db.read(ctx.state.key.workspaceId), { sessionId, id, ...page }),
      present: presentRevision,
    });
  };
}

/** `PATCH /v1/sessions/{session_id}/files/{entry_id}`: renames, moves, or both. 409 `name_conflict`, `directory_cycle`; 412. */
export function changeSessionFile(services: Services): Handler<z.output<typeof EntryChangeBody>> {
  return async (ctx) => {
    const sessionId = pathId(ctx, 'session_id');
    const id = pathId(ctx, 'entry_id');
    const { name, parent_id: parentId } = ctx.state.input;
    const changed = await changeEntry(services.db.write(ctx.state.key.workspaceId), {
      sessionId,
      id,
      change: {
        ...(typeof name === 'string' && { name: fileNameOf(name) }),
        ...(parentId !== undefined && { parentId: directoryOf(sessionId, parentId) }),
      },
      ifGeneration: ifGenerationOf(ctx),
    });
    answerEntry(ctx, changed);
  };
}

/** `DELETE /v1/sessions/{session_id}/files/{entry_id}`: a directory is deleted with its content. 412 `directory_changed`. */
export function deleteSessionFile({ db }: Services): Handler {
  return async (ctx) => {
    const { workspaceId } = ctx.state.key;
    const sessionId = pathId(ctx, 'session_id');
    const id = pathId(ctx, 'entry_id');
    const ifGeneration = ifGenerationOf(ctx);
    const generation = await removeEntry(db.write(workspaceId), { sessionId, id, ifGeneration });
    setDirectoryEtag(ctx, generation);
    ctx.body = { id, object: 'session.file', deleted: true } satisfies DeletedThing;
  };
}

type FoundEntry = Awaited<ReturnType<typeof findEntry>>;

function answerEntry(ctx: Context, { entry, generation }: FoundEntry): void {
  setDirectoryEtag(ctx, generation);
  ctx.body = presentEntry(entry);
}
