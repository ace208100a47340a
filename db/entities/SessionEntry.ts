import { defineEntity, p } from '@mikro-orm/core';

/**
 * A file or a directory of a session. A name is unique within its directory; `revisionId` changes with the content.
 */
export const SessionEntry = defineEntity({
  name: 'SessionEntry',
  tableName: 'session_entries',
  checks: [
    { name: 'session_entries_kind_check', expression: "kind in ('file', 'directory')" },
    { name: 'session_entries_file_check', expression: "(kind = 'file') = (file_id is not null)" },
  ],
  indexes: [
    {
      name: 'session_entries_name_unique',
      expression:
        'create unique index session_entries_name_unique on session_entries (session_id, parent_id, name) nulls not distinct',
    },
    {
      name: 'session_entries_parent_index',
      expression: 'create index session_entries_parent_index on session_entries (parent_id)',
    },
    {
      name: 'session_entries_file_index',
      expression: 'create index session_entries_file_index on session_entries (file_id)',
    },
  ],
  properties: {
    id: p.text().primary(),
    workspaceId: p.text(),
    sessionId: p.text(),
    parentId: p.text().nullable(),
    name: p.text(),
    kind: p.text(),
    fileId: p.text().nullable(),
    revisionId: p.text(),
    createdAt: p.datetime().defaultRaw('now()'),
    updatedAt: p.datetime().defaultRaw('now()'),
  },
});
