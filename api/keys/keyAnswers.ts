import { z } from 'zod';
import { KEY_PREFIX_CHARACTERS } from '../../base/limits.ts';

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
  log_days: z.int().describe('For how many days prompts and answers of this key’s calls are kept; 0: they are not.'),
  no_retention: z.boolean().describe('Whether its calls go only to upstreams that keep nothing of them.'),
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
  log_days: z.int().describe('For how many days the contents of its calls are kept; 0: they are not.'),
  no_retention: z.boolean().describe('Whether it demands that of the upstreams, too.'),
  project_id: z.string().describe('Its project: `default`, or the id of another.'),
});

export const DerivedKey = ListedKey.extend({
  key: z.string().nullable().describe('The secret, shown this once. Null for a retry.'),
});

export const KeyList = z.object({ data: z.array(ListedKey) });

export const ManagedKey = ListedKey.extend({
  spend_limit_remaining: z
    .number()
    .nullable()
    .describe('What is left of the limit in its period, in USD; null: no limit.'),
  allowed_ips: z.array(z.string()).nullable().describe('From where it is accepted; null: from everywhere.'),
  created_by: z.string().nullable().describe('The name of the key or person that made it; null: the command line.'),
  origin: z
    .enum(['device_login'])
    .nullable()
    .describe('`device_login`: a person approved the login of a program. Null: made here, or by another key.'),
  owner_user_id: z
    .string()
    .nullable()
    .describe('The person who made it, also through a key; null: the command line. Membership may have ended since.'),
  previous_expires_at: time.nullable().describe('Until when a secret from before the last rotation still works.'),
});

const secret = z.string().describe('The secret, shown this once.');

export const CreatedKey = ManagedKey.extend({
  key: secret.nullable().describe('The secret, shown this once. Null for a retry: rotate the key to get another one.'),
});

export const RotatedKey = ManagedKey.extend({ previous_expires_at: time, key: secret });

export const KeyImpact = z.object({
  requests_last_day: z.int(),
  runs_open: z.int().describe('Runs that a revocation cancels.'),
  last_used_at: time.nullable(),
});
