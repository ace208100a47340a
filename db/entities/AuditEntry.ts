import { defineEntity, p } from '@mikro-orm/core';

/**
 * What an operator did, to what, and with which words. Append-only.
 */
export const AuditEntry = defineEntity({
  name: 'AuditEntry',
  tableName: 'audit_entries',
  properties: {
    id: p.text().primary(),
    workspaceId: p.text().nullable(),
    keyId: p.text(),
    action: p.text(),
    subjectType: p.text(),
    subjectId: p.text().index(),
    detail: p.json().defaultRaw("'{}'"),
    requestId: p.text(),
    createdAt: p.datetime().defaultRaw('now()'),
  },
});
