import { defineEntity, p } from '@mikro-orm/core';

/**
 * A conversation with files. `directoryGeneration` rises with each change of its files; `storedBytes` is the size of all files in it.
 */
export const Session = defineEntity({
  name: 'Session',
  tableName: 'sessions',
  indexes: [
    {
      name: 'sessions_workspace_index',
      expression: 'create index sessions_workspace_index on sessions (workspace_id, created_at, id)',
    },
  ],
  properties: {
    id: p.text().primary(),
    workspaceId: p.text(),
    title: p.text().nullable(),
    metadata: p.json().defaultRaw("'{}'"),
    directoryGeneration: p.integer().default(0),
    storedBytes: p.bigint().default(0),
    createdAt: p.datetime().defaultRaw('now()'),
    updatedAt: p.datetime().defaultRaw('now()'),
    deletedAt: p.datetime().nullable(),
  },
});
