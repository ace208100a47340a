import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { z } from 'zod';
import { readAuditLines, type AuditPage, type AuditRange } from '../../db/workspaces/auditLines.ts';
import type { Rows } from '../../db/postgres/rows.ts';
import { notFound } from '../../base/errors/requestErrors.ts';
import { pathId } from '../body/parseWith.ts';
import type { Handler } from '../context.ts';
import { answerPage } from '../http/page.ts';
import type { Services } from '../services.ts';
import type { AuditDownloadQuery, AuditLogQuery } from './auditLogSchema.ts';

const DOWNLOAD_PAGE = 1_000;

/** `GET /platform/v1/audit_log`: what was done in the workspace, newest first. */
export function listAuditLog({ db, cursors }: Services): Handler<z.output<typeof AuditLogQuery>> {
  return async (ctx) => {
    const { workspaceId } = ctx.state.key;
    const { action, subject: subjectId, from, to } = ctx.state.input;
    await answerPage(ctx, cursors, {
      list: `audit_log ${JSON.stringify([action, subjectId, from, to])}`,
      read: async (place) => {
        const range = { action, subjectId, from, to };
        const { lines, hasMore } = await readAuditLines(db.everywhere, workspaceId, range, {
          ...place,
          isNewestFirst: true,
        });
        return { rows: lines, hasMore };
      },
      present: (line) => line,
    });
  };
}

/** `GET /platform/v1/audit_log/{audit_entry_id}`: one entry. Throws 404 `audit_entry_not_found`. */
export function retrieveAuditEntry({ db }: Services): Handler {
  return async (ctx) => {
    const id = pathId(ctx, 'audit_entry_id');
    const page = { after: null, limit: 1 };
    const { lines } = await readAuditLines(db.everywhere, ctx.state.key.workspaceId, { id }, page);
    const [line] = lines;
    if (!line) throw notFound(`No audit entry with the id '${id}'.`, 'audit_entry_not_found');
    ctx.body = line;
  };
}

/** `GET /platform/v1/audit_log/download`: the same as JSON lines, oldest first, sent while they are read. */
export function downloadAuditLog({ db }: Services): Handler<z.output<typeof AuditDownloadQuery>> {
  return async (ctx) => {
    const { workspaceId } = ctx.state.key;
    const { action, subject: subjectId, from, to } = ctx.state.input;
    ctx.attachment(`audit-${workspaceId}.jsonl`);
    ctx.type = 'application/x-ndjson';
    if (ctx.method === 'HEAD') {
      ctx.body = '';
      return;
    }
    // The response is sent here, not by Koa.
    ctx.respond = false;
    ctx.res.statusCode = 200;
    try {
      await pipeline(Readable.from(linesOf(db.everywhere, workspaceId, { action, subjectId, from, to })), ctx.res);
    } catch (error) {
      if ((error as { code?: string }).code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
      ctx.state.log.cancelled = true;
    }
  };
}

async function* linesOf(rows: Rows<undefined>, workspaceId: string, range: AuditRange): AsyncGenerator<string> {
  for (let [after, hasMore]: [string | null, boolean] = [null, true]; hasMore;) {
    const page: AuditPage<string> = await readAuditLines(rows, workspaceId, range, { after, limit: DOWNLOAD_PAGE });
    if (page.lines.length > 0) yield page.lines.map((line) => `${JSON.stringify(line)}\n`).join('');
    hasMore = page.hasMore;
    after = page.lines.at(-1)?.id ?? null;
  }
}
