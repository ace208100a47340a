import { z } from 'zod';
import { LOG_DAYS_MAX } from '../../db/contents/contents.ts';
import { KEY_SCOPES } from '../../db/keys/grants.ts';
import { usdAmount } from '../body/usdAmount.ts';
import { pageQuery } from '../http/page.ts';
import { agentName } from '../../orders/order.ts';
import { hasCeiling, NO_CEILING, period } from '../projects/projectSchema.ts';

const ALLOWED_IPS_MAX = 100;
const COUNT_MAX = 1_000_000;
const GRACE_SECONDS_MAX = 86_400;

const name = z.string().trim().min(1).max(100);
const scopes = z
  .array(z.enum(KEY_SCOPES))
  .min(1)
  .refine((given) => new Set(given).size === given.length, 'A scope is given twice.')
  .refine(
    (given) => given.length === 1 || !given.includes('manage'),
    'The scope manage stands alone: such a key calls no product.',
  )
  .describe(
    'What the key may do. `llm` includes `agents`. `contents` reads what calls of keys with `log_days` were asked and answered. ' +
      '`manage` stands alone: it manages keys and calls no product.',
  );
const usd = usdAmount.min(0).max(1_000_000).describe('In US dollars: the most that the key may spend in a period.');
const count = z.int().min(1).max(COUNT_MAX);
const expiresAt = z.iso
  .datetime({ offset: true })
  .refine((text) => Date.parse(text) > Date.now(), 'must be in the future')
  .describe('From then on the key is refused.');
const allowedIps = z
  .array(z.string().trim().min(2).max(50))
  .min(1)
  .max(ALLOWED_IPS_MAX)
  .describe('Addresses and ranges (CIDR) of IPv4 and IPv6 from which the key is accepted; null: from everywhere.');

const AGENTS_MAX = 100;
const allowedAgents = z.array(agentName).min(1).max(AGENTS_MAX);

const mode = z
  .enum(['live', 'test'])
  .describe('`test`: a key of the test workspace, whose calls cost test money. Left out: as the calling key.');

const limits = {
  spend_limit: usd.nullable().optional(),
  spend_limit_period: period.nullable().optional(),
  rpm_limit: count.nullable().optional().describe('Requests a minute; null: the default tier.'),
  concurrency_limit: count.nullable().optional().describe('Requests in flight; null: the default tier.'),
  expires_at: expiresAt.nullable().optional(),
  allowed_ips: allowedIps.nullable().optional(),
  allowed_agents: allowedAgents
    .nullable()
    .optional()
    .describe('The agents that it may run, as `<namespace>/<slug>`; null: all.'),
};

const logDays = z
  .int()
  .min(0)
  .max(LOG_DAYS_MAX)
  .optional()
  .describe(
    'For how many days prompts and answers of its calls are kept, encrypted, readable with the scope `contents`; 0: they are not. ' +
      'Owners and keys with `manage` alone set it. A change holds for later calls.',
  );

const noRetention = z
  .boolean()
  .optional()
  .describe(
    'Whether its calls, and those of keys that it makes, go only to upstreams that keep nothing of them; a call that no such ' +
      'upstream serves is 400 `no_retention_unmet`. A workspace may demand it of all keys.',
  );

const projectId = z
  .string()
  .max(100)
  .describe(
    'The project that it belongs to; `default` or left out: the default one, or the first that the caller is limited to.',
  );

export const ManagedKeyQuery = z.strictObject({
  search: z.string().trim().min(1).max(100).optional().describe('A part of the name or the prefix, or a whole id.'),
  status: z.enum(['live', 'expired', 'revoked']).optional(),
  scope: z.enum(KEY_SCOPES).optional(),
  project: z.string().min(1).max(100).optional().describe('The id of a project; `default` for the default one.'),
  owner_user_id: z.string().min(1).max(100).optional().describe('The person who made them.'),
  ...pageQuery,
});

/** The members of an order of a new key. */
export const newKeyFields = {
  name,
  mode: mode.optional(),
  scopes: scopes.optional(),
  project_id: projectId.optional(),
  ...limits,
  log_days: logDays,
  no_retention: noRetention,
};

export const NewKeyBody = z.strictObject(newKeyFields).refine(hasCeiling, NO_CEILING);

export const KeyChangeBody = z.strictObject({
  name: name.optional(),
  scopes: scopes.optional(),
  project_id: z
    .string()
    .max(100)
    .optional()
    .describe('Moves the key, with those that it made. What they have used stays in the project that they had then.'),
  ...limits,
  log_days: logDays,
  no_retention: noRetention,
});

export const RotationBody = z.strictObject({
  grace_seconds: z
    .int()
    .min(0)
    .max(GRACE_SECONDS_MAX)
    .default(0)
    .describe('How long the earlier secret still works: 0 ends it at once.'),
});

/** A key derived from the calling key. */
export const DerivedKeyBody = z
  .strictObject({
    name,
    scopes: scopes.optional().describe('Some of the calling key’s; all of them when left out, without `manage`.'),
    spend_limit: usd
      .optional()
      .describe(
        'In US dollars: the most that the key and those it makes may spend, in all or in each `spend_limit_period`.',
      ),
    spend_limit_period: period.optional(),
    rpm_limit: count.optional().describe('At most the calling key’s.'),
    concurrency_limit: count.optional().describe('At most the calling key’s.'),
    expires_at: expiresAt.optional().describe('Not after the calling key’s.'),
    allowed_agents: allowedAgents
      .optional()
      .describe('The agents that it may run, as `<namespace>/<slug>`; all when left out.'),
  })
  .refine(hasCeiling, NO_CEILING);
