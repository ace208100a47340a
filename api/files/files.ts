import type { z } from 'zod';
import { publishUpload } from '../../db/files/upload.ts';
import { removeFile, findFile, readFilePage } from '../../db/files/files.ts';
import type { Context, Handler } from '../context.ts';
import { unsupportedMediaType } from '../../base/errors/requestErrors.ts';
import { runOnce } from '../guard/idempotency.ts';
import { isMultipart } from '../body/multipart.ts';
import type { Services } from '../services.ts';
import type { FileFamily } from './presentFile.ts';
import { findCallersFile, checkPurpose, purposesOf } from '../../calls/purposeScope.ts';
import { bytesMaxOf, fileRequestOf, isPurpose, type FileRequest, takeUpload, type ArrivedBytes } from './newFile.ts';
import type { DeletedThing } from './presentFile.ts';
import type { FileListQuery } from './fileSchema.ts';

const LIMIT_DEFAULT = 100;

/**
 * `POST /files`: a form with a file and its purpose. Bytes are written to the database as they arrive; the file exists when all are
 * written.
 */
export function createFile(services: Services, family: FileFamily): Handler {
  const { db } = services;
  return async (ctx) => {
    if (!isMultipart(ctx)) throw unsupportedMediaType('Send the file as multipart/form-data.');
    const { workspaceId } = ctx.state.key;
    const form = await family.readForm<ArrivedBytes>(ctx, {
      keys: db.keys,
      takeFile: (bytes, { fields }) => {
        // When the purpose precedes the file, a missing scope ends the upload early.
        const bytesMax = bytesMaxOf(fields, ctx.state.key);
        return takeUpload(db.write(workspaceId), bytes, bytesMax);
      },
    });
    const arrived = form.file?.content;
    try {
      const request = fileRequestOf(form, family, ctx.state.key);
      const asked = { ...request, sha256: arrived!.sha256.toString('hex') };
      const work = () => publish(ctx, services, { family, request, arrived: arrived! });
      await runOnce(ctx, db, { prefix: 'file', request: asked, work });
    } finally {
      // Drops the bytes of a refused or repeated upload.
      await arrived?.drop().catch(() => {});
    }
  };
}

async function publish(
  ctx: Context,
  { db }: Services,
  { family, request, arrived }: { family: FileFamily; request: FileRequest; arrived: ArrivedBytes },
): Promise<void> {
  const { workspaceId } = ctx.state.key;
  const id = ctx.state.resourceId;
  // Read in the transaction that publishes it: an error after the commit would make the caller send it again.
  const file = await db.write(workspaceId).transaction(async (tx) => {
    await publishUpload(tx, arrived, { id, sessionId: null, ...request, ifRoom: true });
    return findFile(tx, id);
  });
  ctx.body = family.present(file);
}

/** `GET /files`: files outside sessions whose purpose the key's scopes cover, newest first, in pages. */
export function listFiles({ db }: Services, family: FileFamily): Handler<z.output<typeof FileListQuery>> {
  return async (ctx) => {
    const input = ctx.state.input;
    const { key } = ctx.state;
    if (input.purpose !== undefined && isPurpose(input.purpose)) checkPurpose(key, input.purpose);
    const { rows, hasMore } = await readFilePage(db.read(key.workspaceId), {
      purpose: input.purpose ?? null,
      visiblePurposes: purposesOf(key),
      after: input.after ?? input.cursor ?? null,
      placeParam: input.after === undefined ? 'cursor' : 'after',
      limit: input.limit ?? LIMIT_DEFAULT,
      direction: input.order,
    });
    ctx.body = family.presentPage(rows, { hasMore });
  };
}

/** `GET /files/{file_id}`: any file of the workspace, including files of sessions. */
export function retrieveFile({ db }: Services, family: FileFamily): Handler {
  return async (ctx) => {
    ctx.body = family.present(await findCallersFile(db, ctx.state.key, ctx.state.params.file_id!));
  };
}

/** `DELETE /files/{file_id}`: also removes it from sessions. 409 `session_busy` while one of them has a running run. */
export function deleteFile({ db }: Services): Handler {
  return async (ctx) => {
    const { id } = await findCallersFile(db, ctx.state.key, ctx.state.params.file_id!);
    await removeFile(db.write(ctx.state.key.workspaceId), id);
    ctx.body = { id, object: 'file', deleted: true } satisfies DeletedThing;
  };
}
