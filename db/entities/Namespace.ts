import { defineEntity, p } from '@mikro-orm/core';

/**
 * The part of an agent's name before the slash: it belongs to one workspace, whose public face it is.
 */
export const Namespace = defineEntity({
  name: 'Namespace',
  tableName: 'namespaces',
  properties: {
    name: p.text().primary(),
    workspaceId: p.text().index(),
    providerName: p.text(),
    verified: p.boolean().default(false),
    website: p.text().nullable(),
    createdAt: p.datetime().defaultRaw('now()'),
  },
});
