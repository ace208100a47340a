import { defineEntity, p } from '@mikro-orm/core';

/** A part of a workspace with keys, spending and a ceiling of its own. The default project has no row: what belongs to it has null. */
export const Project = defineEntity({
  name: 'Project',
  tableName: 'projects',
  checks: [
    { name: 'projects_period_check', expression: "spend_limit_period in ('daily', 'monthly')" },
    { name: 'projects_limit_check', expression: 'spend_limit_nanos >= 0' },
  ],
  properties: {
    id: p.text().primary(),
    workspaceId: p.text().index(),
    name: p.text(),
    spendLimitNanos: p.bigint().strictNullable(),
    spendLimitPeriod: p.text().$type<'daily' | 'monthly'>().strictNullable(),
    /** When the ceiling or its period was last changed: what was spent before may be above it. */
    limitChangedAt: p.datetime().strictNullable(),
    archivedAt: p.datetime().strictNullable(),
    createdAt: p.datetime().defaultRaw('now()'),
  },
});

/** A project's spending on one UTC day. Its ceiling and the figures of its page are sums over these rows. */
export const ProjectDay = defineEntity({
  name: 'ProjectDay',
  tableName: 'project_days',
  properties: {
    projectId: p.text().primary(),
    day: p.date().primary(),
    workspaceId: p.text().index(),
    spentNanos: p.bigint().default(0),
  },
});
