import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { bootstrap } from '../../../db/bootstrap.ts';
import { checkInvariants } from '../../../db/invariants/invariants.ts';
import { newKeySecret } from '../../../db/keys/keySecret.ts';
import { revokeKey } from '../../../db/keys/keyStore.ts';
import { listWorkspaces } from '../../../db/workspaces/workspaces.ts';
import { balanceOf } from '../../support/account.ts';
import { ownerUrlOf, setTestDatabase } from '../../support/database.ts';
import { until } from '../../support/until.ts';
import { runAdmin } from './runAdmin.ts';

let db: Awaited<ReturnType<typeof setTestDatabase>>;

beforeEach(async () => {
  db = await setTestDatabase({ spends: false });
});
afterEach(() => db.close());

interface Made {
  workspaceId: string;
  key: string | null;
  signInPath: string;
}

async function bootstrapWith(env: Record<string, string> = {}): Promise<Made> {
  const { exitCode, stdout, stderr } = await runAdmin(['bootstrap'], { DATABASE_URL: db.url, ...env });
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  expect(stdout.trim().split('\n')).toHaveLength(1);
  return JSON.parse(stdout) as Made;
}

test('the first call creates a workspace with 10 USD and a key for every product; the next one changes nothing', async () => {
  const made = await bootstrapWith();
  const key = await db.keys.find(made.key!);
  expect(key).toMatchObject({ workspaceId: made.workspaceId, scopes: new Set(['llm', 'voice', 'batch']) });
  expect(await balanceOf(db, made.workspaceId)).toBe(10_000_000_000n);
  expect(await bootstrapWith()).toMatchObject({ workspaceId: made.workspaceId, key: null });
  expect(await balanceOf(db, made.workspaceId)).toBe(10_000_000_000n);
  expect((await checkInvariants(db.pool)).violations).toEqual([]);
});

test('without a workspace a command says how to make the first one', async () => {
  const stderr = 'There is no workspace yet: make the first one, its key and its owner with bootstrap.\n';
  expect(await runAdmin(['keys', 'list'], { DATABASE_URL: db.url })).toMatchObject({ exitCode: 1, stderr });
});

test('a database of something else is named, with what to do', async () => {
  const url = new URL(ownerUrlOf(db.url));
  url.pathname = '/postgres';
  const { exitCode, stderr } = await runAdmin(['keys', 'list'], { DATABASE_URL: url.href });
  expect(exitCode).toBe(1);
  expect(stderr).toBe(
    `The database postgres at ${url.host} has no tables of this release: run npm run migrate, or set DATABASE_URL to another one.\n`,
  );
});

test('the key and the credit can be configured in advance', async () => {
  const secret = newKeySecret();
  const made = await bootstrapWith({ BOOTSTRAP_API_KEY: secret, BOOTSTRAP_CREDIT_USD: '0.5' });
  expect(made.key).toBe(secret);
  expect(await balanceOf(db, made.workspaceId)).toBe(500_000_000n);
});

test('a configured key that is not stored yet is added to the first workspace, once', async () => {
  const made = await bootstrapWith();
  const secret = 'sk_live_agreedBeforehand1n7Qx2Zt';
  const env = { BOOTSTRAP_API_KEY: secret };
  expect(await bootstrapWith(env)).toMatchObject({ workspaceId: made.workspaceId, key: secret });
  expect(await bootstrapWith(env)).toMatchObject({ workspaceId: made.workspaceId, key: null });
  expect(await db.keys.find(secret)).toMatchObject({ workspaceId: made.workspaceId });
});

test('a configured key that was revoked stays revoked', async () => {
  const secret = newKeySecret();
  await bootstrap(db.everywhere, { secret, creditNanos: 0n });
  const { keyId } = (await db.keys.find(secret))!;
  await revokeKey(db, keyId);
  expect((await bootstrap(db.everywhere, { secret, creditNanos: 0n })).key).toBeNull();
  // The notice of the revocation may still be on its way to this process.
  await until(async () => (await db.keys.find(secret)) === null);
});

test('one of many concurrent calls creates the workspace, and the others find it', async () => {
  const all = await Promise.all(
    Array.from({ length: 8 }, () => bootstrap(db.everywhere, { secret: undefined, creditNanos: 1_000_000_000n })),
  );
  const names = (await listWorkspaces(db.everywhere)).map(({ name }) => name);
  expect(names).toEqual(['default', 'Ledgerline']);
  expect(all.filter(({ key }) => key !== null)).toHaveLength(1);
  expect(new Set(all.map(({ workspaceId }) => workspaceId)).size).toBe(1);
  expect(await balanceOf(db, all[0]!.workspaceId)).toBe(1_000_000_000n);
});

test.each([
  ['BOOTSTRAP_API_KEY', 'pk_wrong_prefix_12345678'],
  ['BOOTSTRAP_API_KEY', 'sk_live_short'],
  ['BOOTSTRAP_API_KEY', 'sk_live_agreedBeforehand1'],
  ['BOOTSTRAP_API_KEY', `sk_live_${'abc123'.repeat(8)}`],
  ['BOOTSTRAP_API_KEY', `${newKeySecret().slice(0, -6)}000000`],
  ['BOOTSTRAP_CREDIT_USD', 'ten'],
  ['BOOTSTRAP_CREDIT_USD', '-1'],
])('an invalid %s is named: %s', async (name, value) => {
  const ended = await runAdmin(['bootstrap'], { DATABASE_URL: db.url, [name]: value });
  expect(ended).toMatchObject({ exitCode: 1, stdout: '' });
  expect(ended.stderr).toContain(name);
  expect(await listWorkspaces(db.everywhere)).toEqual([]);
});
