import { findFile, readWhole, type StoredFile } from '../../db/files/files.ts';
import { StorageRefused } from '../../db/files/upload.ts';
import type { Rows } from '../../db/postgres/rows.ts';
import type { Context } from '../context.ts';
import { namesTag } from '../http/answer.ts';

const CACHE_SECONDS = 300;

/** Answers with a public picture of a workspace, or 304. False: there is no such file of this purpose. */
export async function sendPicture(
  ctx: Context,
  rows: Rows,
  { fileId, purpose }: { fileId: string | null; purpose: string },
): Promise<boolean> {
  const file = fileId === null ? undefined : await findFile(rows, fileId).catch(asMissing);
  if (file?.purpose !== purpose) return false;
  describe(ctx, file);
  if (namesTag(ctx.get('if-none-match'), ctx.response.get('etag'))) {
    ctx.status = 304;
    ctx.body = null;
    return true;
  }
  ctx.body = await readWhole(rows, file);
  ctx.type = file.mediaType;
  return true;
}

/** A customer's bytes on the API's origin: usable as an image on any page, and as nothing else. */
function describe(ctx: Context, { sha256 }: StoredFile): void {
  ctx.set({
    etag: `"${Buffer.from(sha256).toString('hex')}"`,
    'cache-control': `public, max-age=${CACHE_SECONDS}`,
    'content-disposition': 'inline',
    'content-security-policy': "sandbox; default-src 'none'",
    'cross-origin-resource-policy': 'cross-origin',
    'x-content-type-options': 'nosniff',
  });
}

function asMissing(error: unknown): undefined {
  if (!(error instanceof StorageRefused && error.code === 'file_not_found')) throw error;
  return undefined;
}
