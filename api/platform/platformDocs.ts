import { z } from 'zod';
import { KEY_PREFIX_CHARACTERS, RETENTION_DAYS } from '../../base/limits.ts';
import { type RouteDoc, pageOf } from '../http/documentedRoute.ts';
import * as headers from '../http/documentedHeaders.ts';
import { DerivedKeyBody } from '../keys/keyBodies.ts';
import { DeletedAnswer } from '../files/presentFile.ts';
import { EventObject } from '../runs/runDocs.ts';

const usd = z.number();
const time = z.iso.datetime();
const period = z.enum(['daily', 'monthly']).nullable().describe('When the ceiling resets.');

export const InspectedKey = z.object({
  label: z.string(),
  prefix: z.string().describe(`The first ${KEY_PREFIX_CHARACTERS} characters of the key.`),
  limit: usd.nullable().describe('The spend ceiling in US dollars, null for none.'),
  limit_remaining: usd.nullable(),
  limit_reset: period,
  usage_daily: usd,
  usage_monthly: usd,
  rate_limit: z.object({ rpm: z.int(), concurrency: z.int() }),
  balance: usd.describe('The balance of the account in US dollars.'),
});

export const ListedKey = z.object({
  id: z.string(),
  name: z.string(),
  prefix: z.string(),
  created_at: time,
  last_used_at: time.nullable(),
  expires_at: time.nullable(),
  revoked_at: time.nullable().describe('When the key was revoked; its spending stays listed. Null for a live key.'),
  scopes: z.array(z.string()),
  spend_daily: usd,
  spend_monthly: usd,
  spend_limit: usd.nullable().describe('Null for none.'),
  spend_limit_period: period,
  rpm_limit: z.int().nullable().describe('Null for the default tier.'),
  concurrency_limit: z.int().nullable().describe('Null for the default tier.'),
  is_calling_key: z.boolean(),
  parent_id: z.string().nullable().describe('The key that made this one; null: none.'),
  allowed_agents: z.array(z.string()).nullable().describe('The agents that it may run; null: all.'),
});

const DerivedKey = ListedKey.extend({
  key: z.string().nullable().describe('The secret, shown this once. Null for a retry.'),
});

const KeyList = z.object({ data: z.array(ListedKey) });

export const Balance = z.object({
  balance_usd: usd,
  held_usd: usd.describe(
    'What running calls and runs may still cost, at most. Calls of other server processes are counted within a second.',
  ),
  available_usd: usd,
});

export const LedgerEntry = z.object({
  id: z.string(),
  object: z.literal('ledger.entry'),
  kind: z
    .string()
    .describe(
      '`topup`, `debit`, `refund`, `correction` of a bill that was estimated, `adjustment`, `payout` of earnings, …; and without a change of the balance: `earning` of an agent, `absorbed`, the cost of a failed run that is not billed.',
    ),
  amount_usd: usd,
  balance_after_usd: usd.nullable().describe('Null where the entry does not change the balance.'),
  request_id: z.string().nullable(),
  run_id: z.string().nullable(),
  key_prefix: z.string().nullable(),
  model: z.string().nullable().describe('Of the call.'),
  route: z.string().nullable(),
  agent: z.string().nullable().describe('Of the run: `<namespace>/<slug>`.'),
  receipt_url: z.string().nullable().describe('The receipt of a payment.'),
  created_at: time,
  hash: z
    .string()
    .nullable()
    .describe('Hash of the entry and of the previous hash. Null where the entry does not change the balance.'),
  prev_hash: z.string().nullable(),
});

const LedgerPage = pageOf(LedgerEntry);

export const Status = z.object({ status: z.string() });

export const Readiness = Status.extend({
  temporal: z
    .enum(['reachable', 'away', 'unknown'])
    .describe('While it is `away`, runs are accepted and start when it is back. `unknown` right after the start.'),
});

const STATUS = { id: 'Status', schema: Status };

/** Documentation of the platform family and the health checks. `ledgerQuery` is the schema that checks the ledger's query. */
export function platformDocs({ ledgerQuery }: { ledgerQuery: z.ZodObject }) {
  return {
    inspectKey: {
      tag: 'Keys',
      summary: 'Inspect the calling key',
      answer: { id: 'InspectedKey', schema: InspectedKey },
    },
    listKeys: {
      tag: 'Keys',
      summary: 'List the keys of the workspace',
      answer: { id: 'KeyList', schema: KeyList },
    },
    deriveKey: {
      tag: 'Keys',
      summary: 'Make a narrower key of the calling key',
      description:
        'For a program, a customer or an agent that may do less: some of the scopes, a budget, a time, some agents. What is left out is as the ' +
        'calling key has it. What the new key spends counts against its own limit and against those of all keys above it, exactly; with the ' +
        'calling key revoked, it ends within a second, and its runs and sockets with it. New keys may make others, four levels deep.',
      input: {
        id: 'DerivedKeyOrder',
        schema: DerivedKeyBody,
        example: { name: 'night job', scopes: ['agents'], spend_limit: 5, allowed_agents: ['ledgerline/writer'] },
      },
      headers: headers.ONCE,
      answer: { id: 'DerivedKey', schema: DerivedKey },
      statuses: [201],
      errors: [409],
    },
    revokeDerivedKey: {
      tag: 'Keys',
      summary: 'Revoke a key that the calling key has made',
      description: 'Directly or through others; with all keys that it has made.',
      answer: { id: 'Deleted', schema: DeletedAnswer },
    },
    retrieveBalance: {
      tag: 'Billing',
      summary: 'Read the balance',
      answer: { id: 'Balance', schema: Balance },
    },
    listLedger: {
      tag: 'Billing',
      summary: 'List the entries of the ledger',
      description: 'Newest first. Send `next_cursor` as `cursor` for the next page.',
      query: ledgerQuery,
      answer: { id: 'LedgerPage', schema: LedgerPage },
    },
    retrieveEvent: {
      tag: 'Events',
      summary: 'Read an event',
      description: `Kept for ${RETENTION_DAYS} days.`,
      answer: EventObject,
    },
    health: {
      tag: 'Service',
      summary: 'Whether the process runs',
      answer: STATUS,
    },
    readiness: {
      tag: 'Service',
      summary: 'Whether it can do its work',
      answer: { id: 'Readiness', schema: Readiness },
    },
  } satisfies Record<string, RouteDoc>;
}
