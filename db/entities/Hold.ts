import { defineEntity, p } from '@mikro-orm/core';

/**
 * Money set aside. A `slice` is what one process may spend for one key without asking again; a `request` hold covers one
 * call, near the last cent; a `run` hold covers one run, for as long as it takes. `day` is the period (UTC, database clock) that spending under the hold counts towards.
 */
export const Hold = defineEntity({
  name: 'Hold',
  tableName: 'holds',
  checks: [
    { name: 'holds_amount_check', expression: 'amount_nanos >= 0' },
    { name: 'holds_kind_check', expression: "kind in ('slice', 'request', 'run')" },
    { name: 'holds_state_check', expression: "state in ('open', 'settled', 'released')" },
  ],
  indexes: [
    {
      name: 'holds_open_account_index',
      expression: "create index holds_open_account_index on holds (account_id) where state = 'open'",
    },
    {
      name: 'holds_open_process_index',
      expression: "create index holds_open_process_index on holds (process_id) where state = 'open'",
    },
  ],
  properties: {
    id: p.text().primary(),
    workspaceId: p.text(),
    accountId: p.text(),
    keyId: p.text(),
    processId: p.text(),
    kind: p.text(),
    amountNanos: p.bigint(),
    partial: p.boolean().default(false),
    state: p.text().default('open'),
    day: p.date(),
    createdAt: p.datetime().defaultRaw('now()'),
    endedAt: p.datetime().nullable(),
  },
});
