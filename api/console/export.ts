import { once } from 'node:events';
import { pipeline } from 'node:stream/promises';
import { createGzip, type Gzip } from 'node:zlib';
import type { ContentBox } from '../../db/contents/contentBox.ts';
import { auditExport, exportWorkspace } from '../../db/exports/exportWorkspace.ts';
import type { Rows } from '../../db/postgres/rows.ts';
import { actorOf, type Handler } from '../context.ts';
import { enforceReadingRate } from '../http/readingRate.ts';
import { ApiError } from '../../base/errors/apiError.ts';
import type { Services } from '../services.ts';

// Longer without reading counts as a disconnect, as does slow reading: the export holds a database connection, and others wait for its end.
const STALL_MS = 60_000;

/** `GET /console/v1/export`: the workspace's rows and files as an archive, sent while they are read. */
export function sendExport({ db, contents }: Services): Handler {
  let isBusy = false;
  return async (ctx) => {
    const { workspaceId } = ctx.state.key;
    ctx.attachment(`${workspaceId}.tar.gz`);
    ctx.type = 'application/gzip';
    if (ctx.method === 'HEAD') {
      ctx.body = '';
      return;
    }
    if (isBusy) throw busy();
    isBusy = true;
    await auditExport(db.everywhere, workspaceId, actorOf(ctx)).catch((error: unknown) => {
      isBusy = false;
      throw error;
    });
    // The response is sent here, not by Koa.
    ctx.respond = false;
    ctx.res.statusCode = 200;
    enforceReadingRate(ctx.res);
    const gzip = createGzip();
    const sent = pipeline(gzip, ctx.res);
    try {
      await Promise.all([sent, exportInto(gzip, db.read(workspaceId), contents.box)]);
    } catch (error) {
      if ((error as { code?: string }).code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
      ctx.state.log.cancelled = true;
    } finally {
      isBusy = false;
    }
  };
}

async function exportInto(gzip: Gzip, rows: Rows, box: ContentBox | null): Promise<void> {
  try {
    await exportWorkspace(rows, (bytes) => write(gzip, bytes), box);
    gzip.end();
  } catch (error) {
    // Ends the answer without its last bytes, so that the archive is visibly incomplete.
    gzip.destroy(error as Error);
    throw error;
  }
}

async function write(gzip: Gzip, bytes: Uint8Array): Promise<void> {
  if (gzip.destroyed) throw Object.assign(new Error('the reader is gone'), { code: 'ERR_STREAM_PREMATURE_CLOSE' });
  if (!gzip.write(bytes)) await once(gzip, 'drain', { signal: AbortSignal.timeout(STALL_MS) });
}

const busy = () =>
  new ApiError({
    status: 429,
    code: 'export_running',
    message: 'Another export is being made. Try again in some minutes.',
    headers: { 'retry-after': '60' },
  });
