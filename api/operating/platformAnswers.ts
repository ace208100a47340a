import { z } from 'zod';
import { PRODUCTS } from '../../db/catalog/products.ts';
import { PLACED_OBJECTS } from '../../db/search/findAnywhere.ts';
import { TROUBLED_MAX, UNBILLED_DAYS, USED_DAYS } from '../../db/accounting/troubledWorkspaces.ts';

const usd = z.number();
const time = z.iso.datetime();

const money = {
  charged_usd: usd.describe('Billed calls and runs, less refunds and corrections.'),
  topups_usd: usd.describe('Payments received.'),
  taken_back_usd: usd.describe('Of these payments, what was refunded or disputed since.'),
  written_off_usd: usd.describe('Cost of calls beyond what was held for them, which nobody paid.'),
  payouts_usd: usd.describe('Paid out to publishers.'),
};

const RevenueSums = z.object(money);
const RevenueDay = z.object({ day: z.iso.date(), ...money });

const cost = usd.nullable().describe('At the costs stated now; null while none is stated.');
const margin = usd.nullable().describe('What was charged less the cost; null without one.');

const RevenueUpstream = z.object({
  upstream: z.string().nullable().describe('Null: not known.'),
  calls: z.int(),
  charged_usd: usd,
  cost_usd: cost,
  margin_usd: margin,
});

const RevenueModel = z.object({
  product: z.enum(PRODUCTS),
  model: z.string().describe('The agent, for runs.'),
  calls: z.int(),
  charged_usd: usd,
  charged_before_usd: usd,
  written_off_usd: usd,
  cost_usd: cost,
  margin_usd: usd.nullable().describe('Of the upstreams with a stated cost alone; null without any.'),
  uncosted_usd: usd.describe('The part of what was charged that was served at upstreams without a stated cost.'),
  upstreams: z.array(RevenueUpstream),
});

export const Revenue = z.object({
  object: z.literal('revenue'),
  days: z.array(RevenueDay).describe('The oldest first; the last one is today (UTC).'),
  days_before: z
    .array(RevenueDay)
    .describe('As many days before. The last one has what it had at this time of the day.'),
  total: RevenueSums.extend({ cost_usd: cost, margin_usd: RevenueModel.shape.margin_usd, uncosted_usd: usd }),
  total_before: RevenueSums,
  products: z.array(z.object({ product: z.enum(PRODUCTS), calls: z.int(), charged_usd: usd, charged_before_usd: usd })),
  models: z.array(RevenueModel).describe('The one that earned most first.'),
  others: z
    .object({ models: z.int(), charged_usd: usd })
    .describe('The models that are not listed: those that earned least.'),
});

const workspace = { workspace_id: z.string(), name: z.string() };

export const WorkspaceTroubles = z.object({
  object: z.literal('workspace_troubles'),
  failing: z
    .array(
      z.object({
        ...workspace,
        calls: z.int().describe('All calls, also those that were refused.'),
        failed: z.int().describe('Ended with 5xx: failures here or at an upstream.'),
        refused: z.int().describe('Ended with 4xx.'),
        code: z.string().nullable().describe('The commonest error code; of failures, where there are any.'),
      }),
    )
    .describe(`At most ${TROUBLED_MAX}, the one with the most failures first.`),
  low: z
    .array(
      z.object({
        ...workspace,
        balance_usd: usd,
        level: z.enum(['overdrawn', 'depleted', 'low']),
        last_used_at: time.nullable(),
      }),
    )
    .describe(
      `Balances below zero, and those of which the workspace was told, where a key was used in the last ${USED_DAYS} days.`,
    ),
  written_off: z
    .array(z.object({ ...workspace, calls: z.int(), written_off_usd: usd }))
    .describe(`In the last ${UNBILLED_DAYS} days.`),
  absorbed: z
    .array(
      z.object({
        ...workspace,
        runs: z.int(),
        absorbed_usd: usd.describe('What failed runs consumed, which nobody is billed.'),
        code: z.string().describe('The error code with most of it.'),
      }),
    )
    .describe(`In the last ${UNBILLED_DAYS} days.`),
});

const HEALTH = ['good', 'slow', 'stuck'] as const;

const Queue = z.object({
  kind: z.string(),
  count: z.int(),
  oldest_seconds: z.number().nullable().describe('The age of the oldest; null without any.'),
  health: z.enum(HEALTH).describe('By the age of the oldest. `stuck`: somebody should look.'),
});

export const Work = z.object({
  object: z.literal('work'),
  runs: z.array(Queue).describe('Runs that are not settled, by status.'),
  queues: z
    .array(Queue)
    .describe('Settlements to post, webhooks due, batches, schedules to bring up to date, dead processes.'),
  held: z
    .array(z.object({ kind: z.string(), count: z.int(), held_usd: usd }))
    .describe('Money held by open calls and runs.'),
  processes: z.array(
    z.object({
      id: z.string(),
      role: z.enum(['api', 'worker']).nullable(),
      started_at: time,
      renewed_at: time.nullable().describe('When it last said that it lives: every second.'),
    }),
  ),
});

const BrokenRule = z.object({
  rule: z.string(),
  count: z.int().describe('At most 20 are counted.'),
  details: z.array(z.string()).describe('The first places.'),
});

const Check = z.object({
  id: z.string(),
  checked_at: time,
  duration_ms: z.int(),
  entries: z.int(),
  transactions: z.int(),
  violations: z.array(BrokenRule).describe('Empty: every rule holds.'),
});

export const LedgerProof = z.object({
  object: z.literal('ledger.proof'),
  state: z
    .enum(['holds', 'broken', 'late', 'unchecked'])
    .describe('`late`: the last check is too old; one is due every hour.'),
  last_check: Check.nullable(),
  checks: z.array(Check).describe('The last ones, the newest first.'),
  last_root: z
    .object({ day: z.iso.date(), key_id: z.string(), signed_at: time })
    .nullable()
    .describe('The last day whose entries are signed.'),
});

export const Places = z.object({
  object: z.literal('list'),
  data: z.array(
    z.object({
      object: z.enum(PLACED_OBJECTS),
      id: z.string(),
      name: z.string().describe('Of a workspace or a person; empty for anything else.'),
      workspace_id: z.string(),
      workspace_name: z.string(),
      mode: z.enum(['live', 'test']),
    }),
  ),
});
