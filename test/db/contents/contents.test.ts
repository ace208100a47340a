import { afterAll, describe, expect, jest, test } from '@jest/globals';
import { createContentBox } from '../../../db/contents/contentBox.ts';
import { createContents } from '../../../db/contents/contents.ts';
import type { Queryable } from '../../../db/postgres/queryable.ts';
import { createSealingKey } from '../../../db/sealing/sealingKeys.ts';
import { makeAccount } from '../../support/account.ts';
import { setTestDatabase } from '../../support/database.ts';
import { until } from '../../support/until.ts';

const db = await setTestDatabase({ spends: false });
const account = await makeAccount(db);
afterAll(() => db.close());

const setDays = (days: number) =>
  db.pool.query('update api_keys set log_days = $2 where id = $1', [account.keyId, days]);
await setDays(7);

const box = createContentBox(createSealingKey());

const contentOf = (requestId: string, text: string) => {
  const { workspaceId, keyId } = account;
  return { requestId, workspaceId, keyId, days: 7, text };
};

/** A pool that is down until it is healed. */
function brokenPool() {
  const pool: Queryable & { isDown: boolean } = {
    isDown: true,
    query: (...query: [never]) =>
      pool.isDown ? Promise.reject(new Error('the database is down')) : db.pool.query(...query),
  };
  return pool;
}

const counted = (contents: ReturnType<typeof createContents>) =>
  Object.fromEntries(contents.gauge.read().map(({ labels: { outcome }, value }) => [outcome, value]));

describe('contents', () => {
  test('wait for a database that is down, and are written once it is back', async () => {
    const errors: unknown[] = [];
    const pool = brokenPool();
    const contents = createContents({ pool, box, onError: (error) => errors.push(error) });
    contents.keep(contentOf('req_waits', '{"request":1}'));
    await contents.written();
    expect({ errors: errors.length, ...counted(contents) }).toEqual({ errors: 1, kept: 0, dropped: 0 });
    pool.isDown = false;
    await until(() => counted(contents).kept === 1);
    const { rows } = await db.pool.query<{ sealed: Buffer; days: number }>(
      `select sealed, extract(day from expires_at - created_at)::int as days from request_contents where request_id = 'req_waits'`,
    );
    expect(rows[0]!.days).toBe(7);
    expect(await box.open(rows[0]!.sealed, `${account.workspaceId}/req_waits`)).toBe('{"request":1}');
    await contents.close();
  });

  test('after the end are dropped: their retries without a database would never end', async () => {
    const contents = createContents({ pool: db.pool, box, onError: () => {} });
    await contents.close();
    jest.useFakeTimers();
    contents.keep(contentOf('req_late', '{}'));
    expect([jest.getTimerCount(), counted(contents)]).toEqual([0, { kept: 0, dropped: 1 }]);
    jest.useRealTimers();
  });

  test('follow what their key keeps when its call ends: nothing, or for fewer days', async () => {
    const contents = createContents({ pool: db.pool, box, onError: (error) => expect(error).toBeUndefined() });
    for (const [days, id] of [
      [0, 'req_off'],
      [1, 'req_fewer'],
    ] as const) {
      await setDays(days);
      contents.keep(contentOf(id, '{}'));
      await contents.written();
    }
    await setDays(7);
    const { rows } = await db.pool.query(
      `select request_id as id, extract(day from expires_at - created_at)::int as days from request_contents
       where request_id in ('req_off', 'req_fewer')`,
    );
    expect(rows).toEqual([{ id: 'req_fewer', days: 1 }]);
    expect(counted(contents)).toEqual({ kept: 1, dropped: 0 });
    await contents.close();
  });

  test('beyond the memory for waiting ones are dropped and counted', async () => {
    const pool = brokenPool();
    const contents = createContents({ pool, box, onError: () => undefined });
    const text = 'x'.repeat(12 * 1024 * 1024);
    for (const id of ['req_a', 'req_b', 'req_c', 'req_d']) contents.keep(contentOf(id, text));
    expect(counted(contents)).toEqual({ kept: 0, dropped: 2 });
    await contents.close();
    expect(counted(contents)).toEqual({ kept: 0, dropped: 4 });
  });

  test('of an installation without a key are not kept', () => {
    const contents = createContents({ pool: db.pool, box: null, onError: () => undefined });
    contents.keep(contentOf('req_none', '{}'));
    expect(contents.isOn).toBe(false);
  });
});

describe('the box', () => {
  test('opens what earlier keys sealed, in its own row only', async () => {
    const [old, current] = [createSealingKey(), createSealingKey()];
    const sealed = await createContentBox(old).seal('Grüße', 'ws_1/req_1');
    const both = createContentBox(`${current},${old}`);
    expect(await both.open(sealed, 'ws_1/req_1')).toBe('Grüße');
    await expect(both.open(sealed, 'ws_2/req_1')).rejects.toThrow();
    await expect(createContentBox(current).open(sealed, 'ws_1/req_1')).rejects.toThrow(/CONTENTS_KEY does not hold/);
    expect(() => createContentBox('short')).toThrow(/^CONTENTS_KEY: must be 32 random bytes/);
  });
});
