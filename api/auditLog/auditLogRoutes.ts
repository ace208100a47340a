import { body } from '../body/body.ts';
import { parseWith, query } from '../body/parseWith.ts';

import { scope, type Keyed } from '../guard/key.ts';
import { wholeWorkspace } from '../guard/projects.ts';
import { owner, recentLogin } from '../guard/session.ts';
import { get, put, remove, type Route } from '../http/router.ts';
import type { Services } from '../services.ts';
import { deleteExport, retrieveExport, setExport } from './auditExport.ts';
import { downloadAuditLog, listAuditLog } from './auditLog.ts';
import { auditLogDocs as about } from './auditLogDocs.ts';
import { AuditDownloadQuery, AuditExportBody, AuditLogQuery } from './auditLogSchema.ts';

/** What was done in the workspace, for those who manage keys. */
export function auditLogRoutes(services: Services, keyed: Keyed): Route[] {
  const at = '/platform/v1/audit_log';
  const reader: Keyed = (...checks) => keyed(scope('manage'), wholeWorkspace, ...checks);
  return [
    get(at, reader(query(AuditLogQuery)), listAuditLog(services), about.list),
    get(`${at}/download`, reader(query(AuditDownloadQuery)), downloadAuditLog(services), about.download),
  ];
}

/** Where the audit is written to, for owners. */
export function auditExportRoutes(services: Services, keyed: Keyed): Route[] {
  const at = '/console/v1/audit-export';
  return [
    get(at, keyed(owner), retrieveExport(services), about.export),
    put(at, keyed(owner, recentLogin, body(parseWith(AuditExportBody, 'body'))), setExport(services), about.setExport),
    remove(at, keyed(owner, recentLogin), deleteExport(services), about.removeExport),
  ];
}
