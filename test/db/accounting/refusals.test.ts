import { afterAll, expect, test } from '@jest/globals';
import { createRefusals, pruneRefusals, type Refusal } from '../../../db/accounting/refusals.ts';
import { makeAccount } from '../../support/account.ts';
import { setTestDatabase } from '../../support/database.ts';

const db = await setTestDatabase();
afterAll(() => db.close());

/** Refusals of one key, with a stopped clock. */
async function setKey() {
  const { workspaceId, keyId } = await makeAccount(db);
  const errors: unknown[] = [];
  const clock = { nowMs: 1_800_000_000_000 };
  let isDown = false;
  const query = (statement: unknown) =>
    isDown ? Promise.reject(new Error('down')) : (db.pool.query as (text: unknown) => Promise<unknown>)(statement);
  const pool = { query } as typeof db.pool;
  const refusals = createRefusals({ pool, onError: (error) => errors.push(error), nowMs: () => clock.nowMs });
  let count = 0;
  const refuse = (more: Partial<Refusal> = {}) =>
    refusals.keep({
      id: `req_${keyId}${(count += 1)}`,
      workspaceId,
      keyId,
      route: '/v1/chat/completions',
      model: 'm',
      status: 429,
      durationMs: 3,
      code: 'rate_limit_exceeded',
      message: 'Too many requests.',
      ...more,
    });
  async function rows() {
    await refusals.written();
    const text =
      'select id, code, calls, message, expires_at - created_at as kept from refused_calls where key_id = $1';
    const found = await db.pool.query<{
      id: string;
      code: string;
      calls: number;
      message: string;
      kept: { days: number };
    }>(text, [keyId]);
    return found.rows;
  }
  return { refusals, refuse, rows, clock, errors, setDown: (value: boolean) => (isDown = value) };
}

const sum = (rows: { calls: number }[]) => rows.reduce((total, { calls }) => total + calls, 0);

test('a key’s refusals of a minute are kept up to thirty; those beyond are counted by their code', async () => {
  const key = await setKey();
  for (let nth = 0; nth < 100; nth += 1) key.refuse();
  for (let nth = 0; nth < 7; nth += 1) key.refuse({ code: 'model_not_found', status: 404 });
  const rows = await key.rows();
  expect([rows.length, sum(rows)]).toEqual([32, 107]);
  const counted = rows.filter(({ calls }) => calls > 1);
  expect(Object.fromEntries(counted.map(({ code, calls }) => [code, calls]))).toEqual({
    model_not_found: 7,
    rate_limit_exceeded: 70,
  });
  // The same row continues to count.
  key.refuse();
  expect((await key.rows()).map(({ calls }) => calls).toSorted((one, other) => other - one)[0]).toBe(71);
  key.clock.nowMs += 60_000;
  key.refuse();
  expect((await key.rows()).length).toBe(33);
});

test('more codes than a minute has room for are counted together', async () => {
  const key = await setKey();
  for (let nth = 0; nth < 30; nth += 1) key.refuse();
  for (let nth = 0; nth < 50; nth += 1) key.refuse({ code: `upstream_${nth}` });
  const rows = await key.rows();
  expect([rows.length, sum(rows)]).toEqual([51, 80]);
  expect(rows.find(({ code }) => code === 'other')?.calls).toBe(30);
});

test('while the database is down they wait, and are written once', async () => {
  const key = await setKey();
  key.setDown(true);
  key.refuse();
  await key.refusals.written();
  expect(key.errors).toHaveLength(1);
  key.setDown(false);
  key.refuse();
  expect(sum(await key.rows())).toBe(2);
  await key.refusals.close();
});

test('while the database is down, a bounded number of rows waits; the rows that count continue to count', async () => {
  let isDown = true;
  const written: { ids: string[]; calls: number[] }[] = [];
  const query = async ({ values }: { values: never[] }) => {
    if (isDown) throw new Error('down');
    written.push({ ids: values[0]!, calls: values[9]! });
  };
  const refusals = createRefusals({ pool: { query } as never, onError: () => {}, nowMs: () => 0 });
  const refuse = (keyId: string, id: string) => {
    const more = {
      model: null,
      status: 429,
      code: 'rate_limit_exceeded',
      message: 'Too many requests.',
      durationMs: 1,
    };
    refusals.keep({ id, workspaceId: 'ws_1', keyId, route: '/v1/models', ...more });
  };
  for (let nth = 0; nth < 40; nth += 1) refuse('key_storm', `storm_${nth}`);
  for (let nth = 0; nth < 4_969; nth += 1) refuse(`key_${nth}`, `req_${nth}`);
  refuse('key_late', 'late_1');
  await refusals.written();
  refuse('key_late', 'late_2');
  refuse('key_storm', 'storm_40');
  isDown = false;
  await refusals.written();
  expect(written.map(({ ids }) => ids.length)).toEqual([5_000]);
  const [{ ids, calls }] = written as [{ ids: string[]; calls: number[] }];
  // The row of the eleven beyond thirty.
  expect(calls[ids.indexOf('storm_30')]).toBe(11);
  expect(ids.filter((id) => id.startsWith('late'))).toEqual([]);
  await refusals.close();
});

test('texts that cannot be stored or are long are shortened, and a week later the row is gone', async () => {
  const key = await setKey();
  key.refuse({ message: `a\0b\ud800${'c'.repeat(2_000)}`, model: `m\0${'x'.repeat(500)}`, code: 'c'.repeat(300) });
  const [row] = await key.rows();
  expect(row!.message).toHaveLength(500);
  expect(row!.kept.days).toBe(7);
  await pruneRefusals(db.pool);
  expect(await key.rows()).toHaveLength(1);
  await db.pool.query('update refused_calls set expires_at = now() where id = $1', [row!.id]);
  await pruneRefusals(db.pool);
  expect(await key.rows()).toHaveLength(0);
});
