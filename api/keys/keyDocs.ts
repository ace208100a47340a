import { z } from 'zod';
import { KEY_PREFIX_CHARACTERS } from '../../base/limits.ts';
import { DeletedAnswer } from '../files/presentFile.ts';
import * as headers from '../http/documentedHeaders.ts';
import type { RouteDoc } from '../http/documentedRoute.ts';
import { DerivedKeyBody } from './keySchema.ts';

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

/** Documentation of what a key does with itself and with the keys that it makes. */
export const keyDocs = {
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
} satisfies Record<string, RouteDoc>;
