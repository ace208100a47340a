import { DeletedAnswer } from '../files/presentFile.ts';
import * as headers from '../http/documentedHeaders.ts';
import { pageOf, type RouteDoc } from '../http/documentedRoute.ts';
import { DerivedKeyBody, KeyChangeBody, ManagedKeyQuery, NewKeyBody, RotationBody } from './keySchema.ts';
import { DerivedKey, InspectedKey, KeyList, CreatedKey, KeyImpact, ManagedKey, RotatedKey } from './keyAnswers.ts';

/** Documentation of a key's view of itself, and of derived keys. */
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
      'For a program, a customer or an agent that may do less: some of the scopes, a budget, a time, some ' +
      'agents. What is left out is as the ' +
      'calling key has it. What the new key spends counts against its own limit and against those of all keys ' +
      'above it, exactly; with the ' +
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
    description:
      'Directly or through others; with all keys that it has made. Also the calling key itself, as a program does that signs out.',
    answer: { id: 'Deleted', schema: DeletedAnswer },
  },
} satisfies Record<string, RouteDoc>;

const TAG = 'Managing keys';

const answer = { id: 'ManagedKey', schema: ManagedKey };

/** Documentation of the management of keys. */
export const managedKeyDocs = {
  list: {
    tag: TAG,
    summary: 'List the keys with their management',
    description: 'Newest first, with revoked and expired ones unless `status` is sent.',
    query: ManagedKeyQuery,
    answer: { id: 'ManagedKeyPage', schema: pageOf(ManagedKey) },
  },
  create: {
    tag: TAG,
    summary: 'Create a key',
    description:
      'The secret is in this answer and nowhere else. Scopes are `llm`, `voice` and `batch` unless sent; a key ' +
      'gets no scope that its maker lacks, and a key with the scope `manage` gives any. With `mode: test` the ' +
      'key belongs to the test workspace, which is made with its first key. A retry with the same ' +
      '`Idempotency-Key` makes no second key, and answers with `key: null`.',
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
      'Changes what is sent; null clears a limit. It counts for every request within a second. 409 ' +
      '`key_revoked` for a revoked key, 403 `scope_not_grantable` for one with a scope that the caller lacks.',
    input: { id: 'KeyChange', schema: KeyChangeBody, example: { name: 'ci of the shop', rpm_limit: 120 } },
    answer,
    errors: [409],
  },
  rotate: {
    tag: TAG,
    summary: 'Rotate a key',
    description:
      'Gives the key a new secret, which is in this answer and nowhere else. The key stays the same: its id, ' +
      'limits, ceiling, usage and runs go on. Secrets from before work until `previous_expires_at`, at most; ' +
      '`grace_seconds: 0` ends them at once, but for calls that have begun.',
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
