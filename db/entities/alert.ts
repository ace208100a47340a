import { defineEntity, p } from '@mikro-orm/core';
import type { AlertKind } from './alertKinds.ts';

/** What a person wants to be told of: spending against a budget, or how long the balance lasts. */
export const Alert = defineEntity({
  name: 'Alert',
  tableName: 'alerts',
  checks: [
    {
      name: 'alerts_kind_check',
      expression:
        "(kind = 'spend' and amount_nanos > 0 and period in ('daily', 'monthly') and days is null) or (kind = 'runway' and days > 0 and amount_nanos is null and period is null and key_id is null)",
    },
    {
      name: 'alerts_project_check',
      expression: "project_id is null or (kind = 'spend' and key_id is null)",
    },
  ],
  indexes: [{ name: 'alerts_workspace_index', properties: ['workspaceId', 'createdAt', 'id'] }],
  properties: {
    id: p.text().primary(),
    workspaceId: p.text(),
    kind: p.text().$type<AlertKind>(),
    /** The key, with the keys derived from it, whose spending counts; null: the whole workspace's. */
    keyId: p.text().strictNullable(),
    /** The project whose spending counts; null: any. */
    projectId: p.text().strictNullable(),
    amountNanos: p.bigint().strictNullable(),
    period: p.text().$type<'daily' | 'monthly'>().strictNullable(),
    /** Parts of the amount, in per cent. Empty for a runway. */
    percentages: p.array().columnType('int[]').$type<number[]>(),
    /** Of a runway: the alert is due when the balance lasts less long. */
    days: p.integer().strictNullable(),
    /** Whether owners and finance people get a mail. */
    mail: p.boolean(),
    /** The people who get it instead, by their ids; null: all owners and finance people. */
    recipients: p.array().columnType('text[]').$type<string[]>().strictNullable(),
    /** What was told last: the percentage in the period that began then; 1 for a short runway, 0 for nothing. */
    toldLevel: p.integer().default(0),
    toldPeriod: p.date().strictNullable(),
    createdAt: p.datetime().defaultRaw('now()'),
  },
});
