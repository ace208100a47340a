import { defineEntity, p } from '@mikro-orm/core';

/** Something that happened in a workspace outside of a run: a deployment was approved, a balance ran low. */
export const PlatformEvent = defineEntity({
  name: 'PlatformEvent',
  tableName: 'platform_events',
  properties: {
    id: p.text().primary(),
    workspaceId: p.text().index(),
    type: p.text(),
    resourceType: p.text(),
    resourceId: p.text(),
    data: p.json(),
    createdAt: p.datetime().defaultRaw('now()'),
  },
});
