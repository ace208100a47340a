import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { z } from 'zod';
import { readAuditLines, type AuditPlace, type AuditRange } from '../../db/workspaces/auditLines.ts';
import type { Rows } from '../../db/postgres/rows.ts';
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
      list: `audit log ${JSON.stringify([action, subjectId, from, to])}`,
      read: async ({ after, limit }) => {
        const place = { after: placeOf(after), limit, isNewestFirst: true };
        const range = { action, subjectId, from, to };
        const { lines, last } = await readAuditLines(db.everywhere, workspaceId, range, place);
        return { rows: lines, next: last && lines.length === limit ? textOf(last) : null };
      },
      present: (line) => line,
    });
  };
}

const textOf = ({ createdAt, id }: AuditPlace): string => `${createdAt.toISOString()} ${id}`;

function placeOf(text: string | null): AuditPlace | undefined {
  if (text === null) return undefined;
  const [time = '', id = ''] = text.split(' ');
  return { createdAt: new Date(time), id };
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
  for (let after: AuditPlace | undefined; ;) {
    const { lines, last } = await readAuditLines(rows, workspaceId, range, { after, limit: DOWNLOAD_PAGE });
    if (lines.length > 0) yield lines.map((line) => `${JSON.stringify(line)}\n`).join('');
    if (lines.length < DOWNLOAD_PAGE) return;
    after = last;
  }
}
