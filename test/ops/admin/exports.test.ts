import { afterAll, describe, expect, test } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { readFile, readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { exportWorkspace, LEFT_OUT, SECRET_COLUMNS } from '../../../db/exports/exportWorkspace.ts';
import { makeAccount } from '../../support/account.ts';
import { setTestDatabase } from '../../support/database.ts';
import { makeFolder } from '../../support/folder.ts';
import { makeBill } from '../../support/ledger.ts';
import { storeFile } from '../../db/sessions/sessionStage.ts';
import { runAdmin } from './runAdmin.ts';

const db = await setTestDatabase();
const folder = await makeFolder();
const [mine, other] = [await makeAccount(db), await makeAccount(db)];
afterAll(async () => {
  await db.close();
  await folder.remove();
});

const exportTo = (path: string, id = mine.workspaceId) =>
  runAdmin(['workspaces', 'export', id, '--to', path, '--json'], { DATABASE_URL: db.url });

describe('an export of a workspace', () => {
  test('has its rows and files, byte by byte, and nothing of another workspace', async () => {
    const text = 'x'.repeat(700_000);
    const fileId = await storeFile(db, mine.workspaceId, { text });
    await storeFile(db, other.workspaceId, { text: 'of others' });
    for (const { keyId, accountId, workspaceId } of [mine, other]) {
      const spender = { keyId, accountId, workspaceId };
      await db.ledger.settle(await db.ledger.hold(spender, 5_000n), makeBill(spender, { costNanos: 1_000n }));
    }
    const path = join(folder.path, 'mine.tar.gz');
    const { exitCode, stdout, stderr } = await exportTo(path);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    expect(JSON.parse(stdout)).toMatchObject({ files: 1, fileBytes: 700_000, rows: { requests: 1, api_keys: 1 } });
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    const audited = 'select action, subject_id as subject from audit_entries where workspace_id = $1';
    expect((await db.pool.query(audited, [mine.workspaceId])).rows).toEqual([
      { action: 'export_workspace', subject: mine.workspaceId },
    ]);
    // Readable by any tar.
    execFileSync('tar', ['-xzf', path, '-C', folder.path]);
    expect(await readFile(join(folder.path, 'files', fileId), 'utf8')).toBe(text);
    const rows = await rowsBelow(join(folder.path, 'rows'));
    expect(rows.every((row) => (row.workspace_id ?? row.id) === mine.workspaceId)).toBe(true);
    const legs = await rowsBelow(join(folder.path, 'rows'), 'ledger_legs');
    expect(legs.map(({ amount_nanos: amount }) => amount)).toEqual([10_000_000_000]);
    const calls = await rowsBelow(join(folder.path, 'rows'), 'requests');
    expect(calls.map(({ debited_nanos: debited }) => debited)).toEqual([1_000]);
    // The chain of entries can be checked from both.
    expect([...legs, ...calls].every(({ hash }) => typeof hash === 'string')).toBe(true);
  });

  test('contains no secret', async () => {
    const [key] = await rowsBelow(join(folder.path, 'rows'), 'api_keys');
    expect(key).toMatchObject({ id: mine.keyId, prefix: mine.secret.slice(0, 12) });
    expect(key).not.toHaveProperty('hash');
    const { workspaceId } = mine;
    await db.pool.query(
      `insert into identity_providers (id, workspace_id, kind, name, issuer, configuration, sealed_secret)
       values ('idp_x', $1, 'oidc', 'Acme', 'https://idp.test', '{}', 'sealed-x')`,
      [workspaceId],
    );
    const texts: string[] = [];
    await exportWorkspace(db.read(workspaceId), async (bytes) => void texts.push(Buffer.from(bytes).toString()));
    expect(texts.join('')).toContain('https://idp.test');
    expect(texts.join('')).not.toContain('sealed-x');
    // A column whose name sounds like one is left out, or is listed here.
    const { rows } = await db.pool.query<{ name: string }>(`
select c.relname || '.' || a.attname as name from pg_class c join pg_attribute w on w.attrelid = c.oid and w.attname = 'workspace_id'
  join pg_attribute a on a.attrelid = c.oid and a.attname ~ 'secret|seal|token|hash|password' and not a.attisdropped
where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
  and has_table_privilege('ledgerline_tenant', c.oid, 'select')`);
    const left = Object.entries(SECRET_COLUMNS).flatMap(([table, columns]) => columns.map((one) => `${table}.${one}`));
    const open = rows.map(({ name }) => name).filter((name) => !left.includes(name) && !name.endsWith('_tokens'));
    expect(open.toSorted()).toEqual([
      'accounts.head_hash',
      'call_claims.body_hash',
      'evaluation_runs.configuration_hash',
      'holds.client_secret_id',
      'ledger_legs.hash',
      'ledger_legs.hash_version',
      // Stands in the domain's DNS.
      'mail_domains.token',
      // Opened before it is written.
      'request_contents.sealed',
      'requests.hash',
    ]);
  });

  test('has the name of the workspace', async () => {
    expect(await rowsBelow(join(folder.path, 'rows'), 'workspaces')).toMatchObject([
      { id: mine.workspaceId, name: 'test' },
    ]);
  });

  test('has every table of workspaces that is not left out by name', async () => {
    const { rows } = await exportWorkspace(db.read(mine.workspaceId), async () => {});
    const { rows: found } = await db.pool.query<{ name: string }>(`
select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'workspace_id'
where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
  and has_table_privilege('ledgerline_tenant', c.oid, 'select')`);
    const expected = found.map(({ name }) => name).filter((name) => !LEFT_OUT.includes(name));
    expect(Object.keys(rows).toSorted()).toEqual(expected.toSorted());
    expect(expected.length).toBeGreaterThan(25);
  });

  test('refuses an unknown workspace and a file that exists', async () => {
    const path = join(folder.path, 'there');
    await writeFile(path, '');
    expect(await exportTo(path)).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('EEXIST') });
    const unknown = await exportTo(join(folder.path, 'new'), 'ws_unknown');
    expect(unknown).toMatchObject({
      exitCode: 1,
      stderr: 'There is no workspace ws_unknown. All of them: workspaces list.\n',
    });
  });
});

/** The rows of one table in an unpacked archive, or of all tables with a workspace. */
async function rowsBelow(path: string, table = ''): Promise<Record<string, unknown>[]> {
  const names = (await readdir(path)).filter((name) => name.startsWith(table));
  const texts = await Promise.all(names.map((name) => readFile(join(path, name), 'utf8')));
  return texts
    .flatMap((text) => text.split('\n').filter(Boolean))
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}
