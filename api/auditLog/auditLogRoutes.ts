import { body } from '../body/body.ts';
import { parseWith, query } from '../body/parseWith.ts';
import { operatorKey } from '../console/operatorKey.ts';
import { scope, type Keyed } from '../guard/key.ts';
import { wholeWorkspace } from '../guard/projects.ts';
import { owner, recentLogin } from '../guard/session.ts';
import { get, put, remove, type Route } from '../http/router.ts';
import type { Services } from '../services.ts';
import { deleteExport, ofPlatform, ofWorkspace, retrieveExport, setExport, type AuditOf } from './auditExport.ts';
import { downloadAuditLog, listAuditLog, retrieveAuditEntry } from './auditLog.ts';
import { auditLogDocs as about, platformExportDocs } from './auditLogDocs.ts';
import { AuditDownloadQuery, AuditExportBody, AuditLogQuery } from './auditLogSchema.ts';

/** What was done in the workspace, for those who manage keys. */
export function auditLogRoutes(services: Services, keyed: Keyed): Route[] {
  const at = '/platform/v1/audit_log';
  const reader: Keyed = (...checks) => keyed(scope('manage'), wholeWorkspace, ...checks);
  return [
    get(at, reader(query(AuditLogQuery)), listAuditLog(services), about.list),
    // Before the route of an id, which would take its path.
    get(`${at}/download`, reader(query(AuditDownloadQuery)), downloadAuditLog(services), about.download),
    get(`${at}/:audit_entry_id`, reader(), retrieveAuditEntry(services), about.entry),
  ];
}

/** Where the audit of a workspace is written to, for owners. */
export const auditExportRoutes = (services: Services, keyed: Keyed): Route[] =>
  exportRoutes('/console/v1/audit-export', services, {
    of: ofWorkspace,
    allowed: (...checks) => keyed(owner, ...checks),
    about,
  });

/** Where the audit of the whole platform is written to, for operators. */
export const platformExportRoutes = (services: Services, keyed: Keyed): Route[] =>
  exportRoutes('/console/v1/platform/audit-export', services, {
    of: ofPlatform,
    allowed: (...checks) => keyed(scope('operator'), operatorKey(services), ...checks),
    about: platformExportDocs,
  });

function exportRoutes(
  at: string,
  services: Services,
  { of, allowed, about: docs }: { of: AuditOf; allowed: Keyed; about: typeof platformExportDocs },
): Route[] {
  const change = allowed(recentLogin, body(parseWith(AuditExportBody, 'body')));
  return [
    get(at, allowed(), retrieveExport(services, of), docs.export),
    put(at, change, setExport(services, of), docs.setExport),
    remove(at, allowed(recentLogin), deleteExport(services, of), docs.removeExport),
  ];
}
