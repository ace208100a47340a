import { defineEntity, p } from '@mikro-orm/core';

/** An event of a workspace outside a run: a deployment was approved, a balance ran low. */
export const PlatformEvent = defineEntity({
  name: 'PlatformEvent',
  tableName: 'platform_events',
  indexes: [
    { name: 'platform_events_age_index', properties: ['workspaceId', 'createdAt', 'id'] },
    {
      name: 'platform_events_position_index',
      expression:
        'create index platform_events_position_index on platform_events (workspace_id, position) where position is not null',
    },
  ],
  properties: {
    id: p.text().primary(),
    workspaceId: p.text(),
    type: p.text(),
    resourceType: p.text(),
    resourceId: p.text(),
    data: p.json().$type<object>(),
    createdAt: p.datetime().defaultRaw('now()').index(),
    /** In the order of the workspace's events: set by a trigger. */
    position: p.bigint().strictNullable(),
  },
});
