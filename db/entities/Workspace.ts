import { defineEntity, p } from '@mikro-orm/core';

/** A customer: owns keys, one account, and everything made with them. */
export const Workspace = defineEntity({
  name: 'Workspace',
  tableName: 'workspaces',
  properties: {
    id: p.text().primary(),
    name: p.text(),
    createdAt: p.datetime().defaultRaw('now()'),
  },
});
