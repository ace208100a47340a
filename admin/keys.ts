import { listKeyUsage, type KeyUsage } from '../db/keys/keyUsage.ts';
import { createKey, findKeysNamed, revokeKey, type FoundKey } from '../db/keys/keyStore.ts';
import { cancelRevoked } from '../db/runs/cancelRun.ts';
import { prefixOf } from '../db/keys/keySecret.ts';
import { usdOf, usdTextOf } from '../db/money.ts';
import { findPlatformWorkspaceId } from '../db/workspaces.ts';
import type { Command, Input } from './command.ts';
import { UsageError } from './options.ts';
import { tableOf } from './table.ts';
import { chosenWorkspaceId } from './workspaces.ts';

const SCOPES = ['llm', 'voice', 'batch', 'agents', 'publisher', 'operator'] as const;

export const createKeyCommand: Command = {
  words: 'keys create',
  usage:
    '--name NAME --scopes llm,voice,batch [--spend-limit USD [--period daily|monthly]] [--rpm N] [--concurrency N] [--workspace ID]',
  summary: 'Makes a key and shows it, this once. A limit without a period is never reset.',
  options: {
    name: { type: 'string' },
    scopes: { type: 'string' },
    'spend-limit': { type: 'string' },
    period: { type: 'string' },
    rpm: { type: 'string' },
    concurrency: { type: 'string' },
    workspace: { type: 'string' },
  },
  async run(input) {
    const key = newKeyOf(input);
    const workspaceId = await workspaceIdOf(input, key.scopes);
    const { id, secret } = await createKey(input.db.pool, { ...key, workspaceId });
    const text = `${secret}   (shown this once: keep it)\n\nMade the key ${id} "${key.name}" in ${workspaceId}.`;
    const json = { id, key: secret, prefix: prefixOf(secret), name: key.name, workspace_id: workspaceId };
    return { text, json };
  },
};

// Operators decide on everybody's agents: their keys belong to the platform.
async function workspaceIdOf(input: Input, scopes: string[]): Promise<string> {
  if (!scopes.includes('operator')) return chosenWorkspaceId(input);
  const platformId = await findPlatformWorkspaceId(input.db.pool);
  if (platformId === undefined) throw new Error('The platform has no workspace of its own yet: run bootstrap.');
  const named = input.options.text('workspace');
  if (named === undefined || named === platformId) return platformId;
  throw new UsageError(`The scope operator belongs to the platform's workspace ${platformId}: leave --workspace out.`);
}

function newKeyOf({ options }: Input) {
  const spendLimitNanos = options.amount('spend-limit') ?? null;
  const spendLimitPeriod = options.oneOf('period', ['daily', 'monthly']) ?? null;
  if (spendLimitNanos !== null && spendLimitNanos < 0n) throw new UsageError('--spend-limit must not be below zero');
  if (spendLimitPeriod && spendLimitNanos === null) throw new UsageError('--period needs --spend-limit');
  return {
    name: options.requiredText('name'),
    scopes: options.someOf('scopes', SCOPES),
    spendLimitNanos,
    spendLimitPeriod,
    rpmLimit: options.wholeNumber('rpm') ?? null,
    concurrencyLimit: options.wholeNumber('concurrency') ?? null,
  };
}

export const revokeKeysCommand: Command = {
  words: 'keys revoke',
  usage: 'ID|PREFIX... [--keep-runs]',
  summary:
    'Revokes keys: requests with them fail within a second, and their runs are cancelled; --keep-runs lets those that work end.',
  options: { 'keep-runs': { type: 'boolean' } },
  takesNames: true,
  async run({ db, options, names }) {
    if (names.length === 0) throw new UsageError('keys revoke needs the id or the prefix of a key');
    // All are found before any is revoked: a mistyped name changes nothing.
    const keys = await Promise.all(names.map(async (name) => oneLiveKey(name, await findKeysNamed(db.pool, name))));
    let runsCancelled = 0;
    for (const { id } of keys) {
      await revokeKey(db, id, { keepsRuns: options.isSet('keep-runs') });
      runsCancelled += (await cancelRevoked(db, id)).length;
    }
    const lines = keys.map(({ id, prefix, name }) => `Revoked ${id} (${prefix}..., "${name}").`);
    if (runsCancelled > 0) lines.push(`Cancelled ${runsCancelled} of their runs.`);
    return { text: lines.join('\n'), json: { revoked: keys.map(({ id }) => id), runs_cancelled: runsCancelled } };
  },
};

function oneLiveKey(name: string, found: FoundKey[]): FoundKey {
  if (found.length === 0) throw new Error(`There is no key ${name}.`);
  const live = found.filter(({ revokedAt }) => revokedAt === null);
  if (live.length === 0) throw new Error(`${name} was revoked before.`);
  if (live.length === 1) return live[0]!;
  throw new Error(
    `${name} is the beginning of ${live.length} keys; give one id: ${live.map(({ id }) => id).join(', ')}`,
  );
}

export const listKeysCommand: Command = {
  words: 'keys list',
  usage: '[--workspace ID]',
  summary: 'Lists the keys of a workspace with what they spent, newest first.',
  options: { workspace: { type: 'string' } },
  async run(input) {
    const keys = await listKeyUsage(input.db.orm, await chosenWorkspaceId(input));
    const heading = ['ID', 'PREFIX', 'NAME', 'SCOPES', 'LIMIT USD', 'TODAY USD', 'MONTH USD', 'LAST USED', 'STATE'];
    return { text: tableOf([heading, ...keys.map(cellsOf)]), json: keys.map(presentKey) };
  },
};

function cellsOf(key: KeyUsage): string[] {
  const limit = key.spendLimitNanos === null ? '-' : usdTextOf(key.spendLimitNanos);
  return [
    key.id,
    key.prefix,
    key.name,
    key.scopes.join(','),
    key.spendLimitPeriod ? `${limit} ${key.spendLimitPeriod}` : limit,
    usdTextOf(key.dailyNanos),
    usdTextOf(key.monthlyNanos),
    key.lastUsedAt?.toISOString() ?? 'never',
    stateOf(key),
  ];
}

function stateOf({ revokedAt, expiresAt }: KeyUsage): string {
  if (revokedAt) return `revoked ${revokedAt.toISOString()}`;
  return expiresAt && expiresAt.getTime() <= Date.now() ? `expired ${expiresAt.toISOString()}` : 'active';
}

function presentKey(key: KeyUsage) {
  return {
    id: key.id,
    name: key.name,
    prefix: key.prefix,
    scopes: key.scopes,
    created_at: key.createdAt.toISOString(),
    last_used_at: key.lastUsedAt?.toISOString() ?? null,
    revoked_at: key.revokedAt?.toISOString() ?? null,
    spend_limit: key.spendLimitNanos === null ? null : usdOf(key.spendLimitNanos),
    spend_limit_period: key.spendLimitPeriod,
    spend_daily: usdOf(key.dailyNanos),
    spend_monthly: usdOf(key.monthlyNanos),
    rpm_limit: key.rpmLimit,
    concurrency_limit: key.concurrencyLimit,
  };
}
