import { defineEntity, p } from '@mikro-orm/core';

/**
 * One side of the double-entry ledger. `customer` accounts carry their posted balance, the number of their entries and the
 * head of their hash chain; house accounts (revenue, write-off, ...) get entries only and are summed when somebody asks.
 */
export const Account = defineEntity({
  name: 'Account',
  tableName: 'accounts',
  checks: [
    { name: 'accounts_kind_check', expression: "kind in ('customer', 'house')" },
    {
      name: 'accounts_customer_check',
      expression: "kind = 'house' or (posted_nanos >= 0 and workspace_id is not null)",
    },
  ],
  properties: {
    id: p.text().primary(),
    workspaceId: p.text().nullable().unique(),
    kind: p.text(),
    postedNanos: p.bigint().default(0),
    entryCount: p.bigint().default(0),
    headHash: p.blob().nullable(),
    createdAt: p.datetime().defaultRaw('now()'),
  },
});
