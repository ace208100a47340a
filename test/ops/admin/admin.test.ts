import { until } from '../../support/until.ts';
import { afterAll, describe, expect, test } from '@jest/globals';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { createKey } from '../../../db/keys/keyStore.ts';
import { writeEnvironmentFile } from '../../../ops/stack/environmentFile.ts';
import { balanceOf, makeAccount } from '../../support/account.ts';
import { ownerUrlOf, setTestDatabase } from '../../support/database.ts';
import { beginRun, makeRun } from '../../support/run.ts';
import { runAdmin, runAdminProcess } from './runAdmin.ts';

const db = await setTestDatabase();
afterAll(() => db.close());

const first = await makeAccount(db, { creditUsd: '10', name: 'first' });

const admin = (...args: string[]) => runAdmin(args, { DATABASE_URL: db.url });

async function adminJson<T>(...args: string[]): Promise<T> {
  const { exitCode, stdout, stderr } = await admin(...args, '--json');
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  return JSON.parse(stdout) as T;
}

describe('keys', () => {
  test('a created key is valid and has the requested limits', async () => {
    const made = await adminJson<{ id: string; key: string; workspace_id: string }>(
      ...'keys create --name ci --scopes llm,voice,batch --spend-limit 5 --period daily --rpm 60 --concurrency 4'.split(
        ' ',
      ),
    );
    expect(made.workspace_id).toBe(first.workspaceId);
    expect(await db.keys.find(made.key)).toMatchObject({ keyId: made.id, rpmLimit: 60, concurrencyLimit: 4 });
    const keys = await adminJson<Record<string, unknown>[]>('keys', 'list');
    expect(keys[0]).toMatchObject({
      id: made.id,
      name: 'ci',
      scopes: ['llm', 'voice', 'batch'],
      spend_limit: 5,
      spend_limit_period: 'daily',
      revoked_at: null,
    });
  });

  test('a new key is shown once, and the list contains only its prefix', async () => {
    const { stdout } = await admin('keys', 'create', '--name', 'shown', '--scopes', 'llm');
    const [secret] = stdout.split(' ');
    expect(secret).toMatch(/^sk_live_[0-9A-Za-z]{49}$/);
    const list = await admin('keys', 'list');
    expect(list.stdout).toContain(secret!.slice(0, 12));
    expect(list.stdout).not.toContain(secret!.slice(0, 20));
  });

  test('a revoked key is refused at once, and stays in the list', async () => {
    const { workspaceId } = await makeAccount(db);
    const { id, secret } = await createKey(db.everywhere, { workspaceId, name: 'leaked', scopes: ['llm'] });
    expect(await db.keys.find(secret)).not.toBeNull();
    expect(await admin('keys', 'revoke', id)).toMatchObject({ exitCode: 0 });
    // The notice of the change may arrive after the command has ended.
    await until(async () => (await db.keys.find(secret)) === null);
    const keys = await adminJson<Record<string, unknown>[]>('keys', 'list', '--workspace', workspaceId);
    expect(keys[0]).toMatchObject({ id, revoked_at: expect.stringMatching(/Z$/) });
  });

  test('a creation and a revocation are in the audit, without the secret', async () => {
    const { workspaceId } = await makeAccount(db);
    const created = ['--name', 'audited', '--scopes', 'llm', '--spend-limit', '5', '--workspace', workspaceId];
    const { id, key } = await adminJson<{ id: string; key: string }>('keys', 'create', ...created);
    await admin('keys', 'revoke', id);
    const sql = 'select workspace_id, action, detail from audit_entries where subject_id = $1 order by created_at';
    const { rows: entries } = await db.pool.query(sql, [id]);
    const after = expect.objectContaining({ name: 'audited', scopes: ['llm'], spend_limit_usd: '5' });
    expect(entries).toEqual([
      { workspace_id: workspaceId, action: 'create_key', detail: { after } },
      { workspace_id: workspaceId, action: 'revoke_key', detail: {} },
    ]);
    expect(JSON.stringify(entries)).not.toContain(key.slice(8));
  });

  test('revoking a key cancels its runs, except running ones with --keep-runs', async () => {
    const accounts = [await makeAccount(db), await makeAccount(db)] as const;
    const runs = [];
    for (const account of accounts) {
      const working = await makeRun(db, account);
      await beginRun(db.pool, working.id);
      runs.push([working.id, (await makeRun(db, account)).id]);
    }
    const card = { meters: [], network_fee_percentage: 10 };
    await db.pool.query('update runs set rate_card = $1 where id = any ($2)', [JSON.stringify(card), runs.flat()]);
    const revoked = await adminJson<object>('keys', 'revoke', accounts[0].keyId);
    expect(revoked).toEqual({ revoked: [accounts[0].keyId], runs_cancelled: 2 });
    const { stdout } = await admin('keys', 'revoke', accounts[1].keyId, '--keep-runs');
    expect(stdout).toContain('Cancelled 1 of their runs.');
    const { rows } = await db.pool.query('select id, status, total_nanos::int as total from runs where id = any ($1)', [
      runs.flat(),
    ]);
    const found = Object.fromEntries(rows.map(({ id, status, total }) => [id, `${status} ${total}`]));
    expect(runs.map((ids) => ids.map((id) => found[id]))).toEqual([
      ['cancelling 0', 'cancelled 0'],
      ['in_progress 0', 'cancelled 0'],
    ]);
  });

  test('a prefix revokes the only key that has it, and none when several do', async () => {
    const { workspaceId } = await makeAccount(db);
    const key = (secret: string) => createKey(db.everywhere, { workspaceId, name: 'a', scopes: ['llm'], secret });
    const [one, two] = [await key('sk_live_AAAA1111111111'), await key('sk_live_AAAA2222222222')];
    const both = await admin('keys', 'revoke', 'sk_live_AAAA');
    expect(both).toMatchObject({ exitCode: 1, stdout: '' });
    expect(both.stderr).toContain(`${one.id}, ${two.id}`);
    await admin('keys', 'revoke', one.id);
    expect((await admin('keys', 'revoke', 'sk_live_AAAA')).stdout).toContain(two.id);
    expect(await admin('keys', 'revoke', one.id)).toMatchObject({
      exitCode: 1,
      stderr: `${one.id} was revoked before.\n`,
    });
  });

  test('a mistyped name among several revokes no key', async () => {
    const { keyId } = await makeAccount(db);
    expect(await admin('keys', 'revoke', keyId, 'key_none')).toMatchObject({ exitCode: 1 });
    const { rows } = await db.pool.query('select revoked_at from api_keys where id = $1', [keyId]);
    expect(rows[0].revoked_at).toBeNull();
  });
});

describe('credit', () => {
  test('adds to the balance of the workspace and stores the reason in the ledger', async () => {
    const { workspaceId } = await makeAccount(db, { creditUsd: '1' });
    const { stdout } = await admin('credit', '--workspace', workspaceId, '--usd', '2.5', '--reason', 'a gift');
    expect(stdout).toBe(`Adjusted ${workspaceId} by 2.5 USD; the balance is 3.5 USD.\n`);
    const { rows } = await db.pool.query(
      `select subject from ledger_entries where kind = 'adjustment' and workspace_id = $1`,
      [workspaceId],
    );
    expect(rows[0].subject).toMatch(/^adj_\w+ a gift$/);
  });

  test('takes money back, but never more than the balance', async () => {
    const { workspaceId } = await makeAccount(db, { creditUsd: '1' });
    await admin('credit', '--workspace', workspaceId, '--usd=-0.25');
    expect(await balanceOf(db, workspaceId)).toBe(750_000_000n);
    const refused = await admin('credit', '--workspace', workspaceId, '--usd=-1');
    expect(refused).toMatchObject({ exitCode: 1, stderr: 'the balance does not cover this: nothing was changed.\n' });
    expect(await balanceOf(db, workspaceId)).toBe(750_000_000n);
  });
});

describe('workspaces', () => {
  test('a created workspace is listed with its balance', async () => {
    const { id } = await adminJson<{ id: string }>('workspaces', 'create', '--name', 'second team');
    await admin('credit', '--workspace', id, '--usd', '7');
    const all = await adminJson<Record<string, unknown>[]>('workspaces', 'list');
    expect(all[0]).toMatchObject({ id: first.workspaceId });
    expect(all.at(-1)).toMatchObject({ id, name: 'second team', balance_usd: 7, held_usd: 0 });
    expect((await admin('workspaces', 'list')).stdout).toMatch(/second team .* 7 /);
  });
});

describe('ledger check', () => {
  test('reports success and the totals of the accounts', async () => {
    const { exitCode, stdout } = await admin('ledger', 'check');
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/^all entries +0$/m);
    expect(stdout).toMatch(/^No rule is broken\.$/m);
  });

  test('exits with 1 and names the violated rule', async () => {
    const owner = new Client({ connectionString: ownerUrlOf(db.url) });
    await owner.connect();
    await owner.query(`update accounts set posted_nanos = posted_nanos + 1 where id = $1`, [first.accountId]);
    const { exitCode, stdout } = await admin('ledger', 'check');
    const json = await admin('ledger', 'check', '--json');
    await owner.query(`update accounts set posted_nanos = posted_nanos - 1 where id = $1`, [first.accountId]);
    await owner.end();
    expect(exitCode).toBe(1);
    expect(stdout).toContain(`BROKEN: a balance is the sum of its entries: account ${first.accountId}`);
    expect(json.exitCode).toBe(1);
    expect(JSON.parse(json.stdout)).toMatchObject({ ok: false, sums: { total_usd: '0' } });
  });
});

describe('an invalid command line', () => {
  test.each([
    ['nothing', [], 'Usage: npm run admin'],
    ['an unknown command', ['keys', 'fly'], "unknown command 'fly'"],
    ['an unknown option', ['keys', 'list', '--loud'], "unknown option '--loud'"],
    ['a missing name', ['keys', 'create', '--scopes', 'llm'], "required option '--name <name>' not specified"],
    ['an unknown scope', ['keys', 'create', '--name', 'a', '--scopes', 'llm,root'], '"root" is not one of llm'],
    [
      'a managing key that calls a product',
      ['keys', 'create', '--name', 'a', '--scopes', 'manage,llm'],
      'the scope manage stands alone',
    ],
    [
      'an unknown period',
      'keys create --name a --scopes llm --spend-limit 1 --period weekly'.split(' '),
      'Allowed choices are daily, monthly',
    ],
    ['a period without a limit', 'keys create --name a --scopes llm --period daily'.split(' '), '--period needs'],
    [
      'a limit of no requests',
      'keys create --name a --scopes llm --rpm 0'.split(' '),
      "option '--rpm <count>' argument '0' is invalid. It must be a whole number",
    ],
    [
      'no amount',
      ['credit', '--usd', 'ten'],
      "option '--usd <amount>' argument 'ten' is invalid. It must be an amount",
    ],
    ['two amounts', 'credit --usd 5 --usd 50'.split(' '), "option '--usd <amount>' was given twice"],
    ['an unusable id', 'credit --usd 5 --id twice'.split(' '), '--id must be the id of an earlier try'],
    ['no key to revoke', ['keys', 'revoke'], "missing required argument 'keys'"],
    ['a second run', ['runs', 'rebuild', 'run_1', 'run_2'], 'too many arguments'],
    ['a mistyped option', 'keys create --name a --scopes llm --spend-limt 5'.split(' '), 'Did you mean --spend-limit?'],
  ])('%s: exits with 2 and an explanation', async (_, args, sentence) => {
    const { exitCode, stdout, stderr } = await admin(...args);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
    expect(stderr).toContain(sentence);
    expect(stderr).not.toMatch(/^ +at /m);
  });

  test('help lists every command', async () => {
    const { exitCode, stdout } = await admin('--help');
    expect(exitCode).toBe(0);
    for (const words of ['keys create', 'keys revoke', 'keys list', 'credit', 'workspaces create', 'ledger check'])
      expect(stdout).toContain(words);
  });

  test('help of one command lists its options', async () => {
    const { exitCode, stdout } = await admin('keys', 'create', '--help');
    expect(exitCode).toBe(0);
    for (const flag of ['--name <name>', '--scopes <list>', '--spend-limit <usd>', '--json'])
      expect(stdout).toContain(flag);
  });

  test('an unknown workspace is named in the error', async () => {
    const ended = await admin('keys', 'list', '--workspace', 'ws_none');
    expect(ended).toMatchObject({
      exitCode: 1,
      stderr: 'There is no workspace ws_none. All of them: workspaces list.\n',
    });
  });
});

describe('as a process', () => {
  const env = () => ({ DATABASE_URL: db.url });

  test("prints a command's text", async () => {
    const inside = await admin('workspaces', 'list');
    expect(await runAdminProcess(['workspaces', 'list'], env())).toEqual(inside);
    expect(inside).toMatchObject({ exitCode: 0, stderr: '' });
  });

  test.each([
    [2, ['keys', 'fly'], "unknown command 'fly'"],
    [1, ['keys', 'list', '--workspace', 'ws_none'], 'There is no workspace ws_none.'],
  ])('exits with %i', async (exitCode, args, sentence) => {
    const stderr = expect.stringContaining(sentence);
    expect(await runAdminProcess(args, env())).toEqual({ exitCode, stdout: '', stderr });
  });
});

describe('the database', () => {
  test("is the installation's without any environment variables", async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'ledgerline-admin-'));
    await writeEnvironmentFile(join(dataDir, 'stack.env'), { DATABASE_URL: db.url });
    const { exitCode, stdout } = await runAdmin(['workspaces', 'list'], { DATA_DIR: dataDir });
    await rm(dataDir, { recursive: true });
    expect(exitCode).toBe(0);
    expect(stdout).toContain(first.workspaceId);
  });

  test('has to be configured when there is no installation', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'ledgerline-admin-'));
    const { exitCode, stderr } = await runAdmin(['workspaces', 'list'], { DATA_DIR: dataDir });
    await rm(dataDir, { recursive: true });
    expect(exitCode).toBe(1);
    expect(stderr).toContain('start the installation with npm start, or set DATABASE_URL');
  });

  test('is named without its password when it does not answer', async () => {
    const { exitCode, stderr } = await runAdmin(['workspaces', 'list'], {
      DATABASE_URL: 'postgres://ledgerline:secret@127.0.0.1:1/postgres',
    });
    expect(exitCode).toBe(1);
    expect(stderr).toContain('127.0.0.1:1');
    expect(stderr).not.toContain('secret');
  });
});
