import type { z } from 'zod';
import { overloaded } from '../../base/errors/serviceErrors.ts';
import { notFound, validationErrorAt } from '../../base/errors/requestErrors.ts';
import {
  PLATFORM,
  readAuditExport,
  removeAuditExport,
  saveAuditExport,
  type ExportRow,
} from '../../db/auditExports/auditExports.ts';
import { isLocalName } from '../../base/web.ts';
import { actorOf, type Context, type Handler } from '../context.ts';
import { requireLive } from '../guard/testMode.ts';
import type { Services } from '../services.ts';
import type { AuditExportAnswer, AuditExportBody } from './auditLogSchema.ts';

/** Whose audit: that of the caller's workspace, or the platform's, for operators. */
export type AuditOf = (ctx: Context) => string;

export const ofWorkspace: AuditOf = (ctx) => ctx.state.key.workspaceId;
export const ofPlatform: AuditOf = () => PLATFORM;

/** `GET /console/v1/audit-export`, `GET /console/v1/platform/audit-export`: where the audit of the workspace, or of the platform, goes. */
export function retrieveExport({ db }: Services, of: AuditOf): Handler {
  return async (ctx) => {
    const row = await readAuditExport(db.read(of(ctx)), of(ctx));
    ctx.body = { object: 'audit_export_state', export: row && present(row) };
  };
}

/** `PUT` there sets it. Throws 422 for an address without https, and 503 while no worker has run yet. */
export function setExport({ db, config }: Services, of: AuditOf): Handler<z.output<typeof AuditExportBody>> {
  return async (ctx) => {
    requireLive(ctx);
    const { url, period } = ctx.state.input;
    const { protocol, hostname } = new URL(url);
    if (protocol !== 'https:' && !(config.webhookLoopback && isLocalName(hostname)))
      throw validationErrorAt(['body', 'url'], 'must be an https address');
    const stated = { url, period, target: targetOf(url), by: actorOf(ctx) };
    const saved = await saveAuditExport(db.everywhere, of(ctx), stated);
    if (saved === 'no_worker') throw overloaded();
    ctx.body = present(saved);
  };
}

/** The address without its credentials. */
function targetOf(address: string): string {
  const url = new URL(address);
  url.username = '';
  url.password = '';
  return url.href;
}

/** `DELETE` there ends it. Throws 404 `export_not_found`. */
export function deleteExport({ db }: Services, of: AuditOf): Handler {
  return async (ctx) => {
    requireLive(ctx);
    if (!(await removeAuditExport(db.everywhere, of(ctx), actorOf(ctx))))
      throw notFound('This audit is not exported.', 'export_not_found');
    ctx.body = { object: 'audit_export_state', export: null, deleted: true };
  };
}

const present = (row: ExportRow): z.infer<typeof AuditExportAnswer> => ({
  object: 'audit_export',
  target: row.target,
  period: row.period,
  exported_until: row.exportedUntil.toISOString(),
  last_object: row.lastObject,
  last_entries: row.lastEntries,
  last_error: row.lastError,
  created_at: row.createdAt.toISOString(),
});
