import { z } from 'zod';
import type { RouteDoc } from '../http/documentedRoute.ts';
import * as headers from '../http/documentedHeaders.ts';
import { ListedKey } from './keyDocs.ts';
import { KeyChangeBody, NewKeyBody, RotationBody } from './keySchema.ts';

const TAG = 'Managing keys';
const time = z.iso.datetime();

export const ManagedKey = ListedKey.extend({
  spend_limit_remaining: z
    .number()
    .nullable()
    .describe('What is left of the limit in its period, in USD; null: no limit.'),
  allowed_ips: z.array(z.string()).nullable().describe('From where it is accepted; null: from everywhere.'),
  created_by: z.string().nullable().describe('The name of the key or person that made it; null: the command line.'),
  owner_user_id: z
    .string()
    .nullable()
    .describe('The person who made it, also through a key; null: the command line. Membership may have ended since.'),
  previous_expires_at: time.nullable().describe('Until when a secret from before the last rotation still works.'),
});

const secret = z.string().describe('The secret, shown this once.');
const CreatedKey = ManagedKey.extend({
  key: secret.nullable().describe('The secret, shown this once. Null for a retry: rotate the key to get another one.'),
});
const RotatedKey = ManagedKey.extend({ previous_expires_at: time, key: secret });

export const KeyImpact = z.object({
  requests_last_day: z.int(),
  runs_open: z.int().describe('Runs that a revocation cancels.'),
  last_used_at: time.nullable(),
});

const answer = { id: 'ManagedKey', schema: ManagedKey };

/** Documentation of the management of keys. */
export const managedKeyDocs = {
  list: {
    tag: TAG,
    summary: 'List the keys with their management',
    answer: { id: 'ManagedKeyList', schema: z.object({ data: z.array(ManagedKey) }) },
  },
  create: {
    tag: TAG,
    summary: 'Create a key',
    description:
      'The secret is in this answer and nowhere else. Scopes are `llm`, `voice` and `batch` unless sent; a key gets no scope that its maker lacks, and a key with the scope `manage` gives any. With `mode: test` the key belongs to the test workspace, which is made with its first key. A retry with the same `Idempotency-Key` makes no second key, and answers with `key: null`.',
    input: {
      id: 'NewKey',
      schema: NewKeyBody,
      example: { name: 'ci', scopes: ['llm'], spend_limit: 20, spend_limit_period: 'monthly' },
    },
    headers: headers.ONCE,
    answer: { id: 'CreatedKey', schema: CreatedKey },
    statuses: [201],
    errors: [409],
  },
  change: {
    tag: TAG,
    summary: 'Change a key',
    description:
      'Changes what is sent; null clears a limit. It counts for every request within a second. 409 `key_revoked` for a revoked key, 403 `scope_not_grantable` for one with a scope that the caller lacks.',
    input: { id: 'KeyChange', schema: KeyChangeBody, example: { name: 'ci of the shop', rpm_limit: 120 } },
    answer,
    errors: [409],
  },
  rotate: {
    tag: TAG,
    summary: 'Rotate a key',
    description:
      'Gives the key a new secret, which is in this answer and nowhere else. The key stays the same: its id, limits, ceiling, usage and runs go on. Secrets from before work until `previous_expires_at`, at most; `grace_seconds: 0` ends them at once, but for calls that have begun.',
    input: { id: 'Rotation', schema: RotationBody, example: { grace_seconds: 3600 }, isOptional: true },
    answer: { id: 'RotatedKey', schema: RotatedKey },
    errors: [409],
  },
  revoke: {
    tag: TAG,
    summary: 'Revoke a key',
    description:
      'Everywhere within a second, for good, with secrets from before a rotation. Its open runs are cancelled.',
    answer,
  },
  impact: {
    tag: TAG,
    summary: 'Read what a revocation would break',
    answer: { id: 'KeyImpact', schema: KeyImpact },
  },
} satisfies Record<string, RouteDoc>;
