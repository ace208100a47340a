import { defineEntity, p } from '@mikro-orm/core';

/** An order to erase a workspace. It can be cancelled until `startedAt`; the workspace's keys stop working at once. */
export const Erasure = defineEntity({
  name: 'Erasure',
  tableName: 'erasures',
  checks: [
    {
      name: 'erasures_order_check',
      expression: '(cancelled_at is null or started_at is null) and (erased_at is null or started_at is not null)',
    },
  ],
  indexes: [
    {
      name: 'erasures_workspace_unique',
      expression: 'create unique index erasures_workspace_unique on erasures (workspace_id) where cancelled_at is null',
    },
    {
      name: 'erasures_due_index',
      expression:
        'create index erasures_due_index on erasures (due_at) where cancelled_at is null and erased_at is null',
    },
  ],
  properties: {
    id: p.text().primary(),
    workspaceId: p.text(),
    /** The owner who ordered it; null: an operator, on the command line. */
    userId: p.text().strictNullable(),
    createdAt: p.datetime().defaultRaw('now()'),
    dueAt: p.datetime(),
    cancelledAt: p.datetime().strictNullable(),
    startedAt: p.datetime().strictNullable(),
    erasedAt: p.datetime().strictNullable(),
  },
});
