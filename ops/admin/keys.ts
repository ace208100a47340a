import { Option } from 'commander';
import { listKeyUsage, type KeyWithSpending } from '../../db/keys/keyUsage.ts';
import { findKeysNamed, revokeKey, type KeyRow } from '../../db/keys/keyStore.ts';
import { makeKey } from '../../db/keys/manageKeys.ts';
import { cancelRevoked } from '../../db/runs/states/cancelRun.ts';
import { prefixOf } from '../../db/keys/keySecret.ts';
import { newId } from '../../db/ids.ts';
import { usdOf, usdTextOf } from '../../db/money.ts';
import { openTestWorkspace } from '../../db/testMode/testMode.ts';
import { findPlatformWorkspaceId } from '../../db/workspaces/workspaces.ts';
import {
  type AdminCommand,
  amountOption,
  byCommand,
  countOption,
  type Input,
  listOption,
  tableOf,
  textOption,
  UsageError,
  workspaceOption,
} from './command.ts';
import { chosenWorkspaceId } from './workspaces.ts';

const SCOPES = ['llm', 'voice', 'batch', 'agents', 'publisher', 'contents', 'manage', 'operator'];

interface NewKey {
  name: string;
  scopes: string[];
  spendLimit?: bigint;
  period?: 'daily' | 'monthly';
  rpm?: number;
  concurrency?: number;
  workspace?: string;
  test?: true;
}

export const createKeyCommand: AdminCommand<NewKey> = {
  words: 'keys create',
  summary: 'Creates a key and shows it once.',
  options: [
    textOption('--name <name>', 'name of the key').makeOptionMandatory(),
    listOption('--scopes <list>', 'what the key may do', SCOPES).makeOptionMandatory(),
    amountOption('--spend-limit <usd>', 'most that it may spend'),
    new Option('--period <period>', 'when the spend limit is reset; never by default').choices(['daily', 'monthly']),
    countOption('--rpm <count>', 'requests a minute'),
    countOption('--concurrency <count>', 'requests in flight'),
    workspaceOption,
    new Option('--test', 'of the test workspace: its calls cost test money'),
  ],
  async run(input, options) {
    const { name, scopes, spendLimit = null, period = null, rpm = null, concurrency = null } = options;
    if (spendLimit !== null && spendLimit < 0n) throw new UsageError('--spend-limit must not be below zero');
    if (period && spendLimit === null) throw new UsageError('--period needs --spend-limit');
    if (options.test && scopes.includes('operator')) throw new UsageError('a test workspace has no operators');
    if (scopes.includes('manage') && scopes.length > 1)
      throw new UsageError('the scope manage stands alone: make a key of its own for it');
    const ownId = await workspaceIdOf(input, options);
    const workspaceId = options.test ? await openTestWorkspace(input.db.everywhere, ownId) : ownId;
    const limits = {
      spendLimitNanos: spendLimit,
      spendLimitPeriod: period,
      rpmLimit: rpm,
      concurrencyLimit: concurrency,
    };
    const id = newId('key');
    const made = await makeKey(input.db.write(workspaceId), { id, name, scopes, ...limits, by: byCommand() });
    if (typeof made === 'string' || made.secret === null)
      throw new Error(`The key was not made: ${JSON.stringify(made)}`);
    const { secret } = made;
    const text = `${secret}   (shown this once: keep it)\n\nCreated the key ${id} "${name}" in ${workspaceId}.`;
    return { text, json: { id, key: secret, prefix: prefixOf(secret), name, workspace_id: workspaceId } };
  },
};

// Operators decide on agents of all workspaces, so their keys belong to the platform's workspace.
async function workspaceIdOf(input: Input, { scopes, workspace }: NewKey): Promise<string> {
  if (!scopes.includes('operator')) return chosenWorkspaceId(input, workspace);
  const platformId = await findPlatformWorkspaceId(input.db.everywhere);
  if (platformId === undefined) throw new Error('The platform has no workspace of its own yet: run bootstrap.');
  if (workspace === undefined || workspace === platformId) return platformId;
  throw new UsageError(`The scope operator belongs to the platform's workspace ${platformId}: leave --workspace out.`);
}

export const revokeKeysCommand: AdminCommand<{ keepRuns?: true }> = {
  words: 'keys revoke',
  summary: 'Revokes keys, each by id or prefix: their requests fail within a second, their runs are cancelled.',
  arguments: '<keys...>',
  options: [new Option('--keep-runs', 'let runs that have begun end')],
  async run({ db }, { keepRuns = false }, names) {
    // Looks up all keys before revoking any, so that a mistyped name changes nothing.
    const keys = await Promise.all(
      names.map(async (name) => oneLiveKey(name, await findKeysNamed(db.everywhere, name))),
    );
    let runsCancelled = 0;
    for (const { id, workspaceId } of keys) {
      await revokeKey(db, id, { keepsRuns: keepRuns, by: byCommand() });
      runsCancelled += (await cancelRevoked(db, workspaceId)).length;
    }
    const lines = keys.map(({ id, prefix, name }) => `Revoked ${id} (${prefix}..., "${name}").`);
    if (runsCancelled > 0) lines.push(`Cancelled ${runsCancelled} of their runs.`);
    return { text: lines.join('\n'), json: { revoked: keys.map(({ id }) => id), runs_cancelled: runsCancelled } };
  },
};

function oneLiveKey(name: string, found: KeyRow[]): KeyRow {
  if (found.length === 0) throw new Error(`There is no key ${name}. Those of a workspace: keys list --workspace ID.`);
  const live = found.filter(({ revokedAt }) => revokedAt === null);
  if (live.length === 0) throw new Error(`${name} was revoked before.`);
  if (live.length === 1) return live[0]!;
  throw new Error(
    `${name} is the beginning of ${live.length} keys; give one id: ${live.map(({ id }) => id).join(', ')}`,
  );
}

export const listKeysCommand: AdminCommand<{ workspace?: string }> = {
  words: 'keys list',
  summary: 'Lists the keys of a workspace with what they spent, newest first.',
  options: [workspaceOption],
  async run(input, { workspace }) {
    const keys = await listKeyUsage(input.db.read(await chosenWorkspaceId(input, workspace)));
    const heading = ['ID', 'PREFIX', 'NAME', 'SCOPES', 'LIMIT USD', 'TODAY USD', 'MONTH USD', 'LAST USED', 'STATE'];
    return { text: tableOf([heading, ...keys.map(cellsOf)]), json: keys.map(presentKey) };
  },
};

function cellsOf(key: KeyWithSpending): string[] {
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

function stateOf({ revokedAt, expiresAt }: KeyWithSpending): string {
  if (revokedAt) return `revoked ${revokedAt.toISOString()}`;
  return expiresAt && expiresAt.getTime() <= Date.now() ? `expired ${expiresAt.toISOString()}` : 'active';
}

function presentKey(key: KeyWithSpending) {
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
