import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import type { Pool } from 'pg';
import { createKeys, type Key } from '../../../db/keys/keys.ts';
import { hashKeySecret, newKeySecret } from '../../../db/keys/keySecret.ts';
import type { Notice, Notices } from '../../../db/postgres/notices.ts';

const row = {
  id: 'key_1',
  workspace_id: 'ws_1',
  account_id: 'acc_1',
  prefix: 'sk_live_abcd',
  name: 'test',
  scopes: ['llm'],
  rpm_limit: null,
  concurrency_limit: null,
};

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

/** Keys on a database that knows one secret, counts its queries, and can be made unavailable. */
function setUp() {
  const secret = newKeySecret();
  const others: string[] = [];
  const counts = { asked: 0, askedFor: [] as number[], used: [] as string[] };
  const state = { ...counts, isAway: false, waitingCount: 0, isRevoked: false, takesMs: 0, others };
  const listeners: ((notice: Notice) => void)[] = [];
  const pool = {
    get waitingCount() {
      return state.waitingCount;
    },
    query: async ({ values: [hashes] }: { values: [Buffer[]] }) => {
      state.asked += 1;
      if (state.isAway) throw new Error('connect ECONNREFUSED');
      state.askedFor.push(hashes.length);
      const known = [secret, ...state.others].map(hashKeySecret);
      const rows = hashes.filter((hash) => !state.isRevoked && known.includes(hash.toString('hex')));
      if (state.takesMs > 0) await new Promise((resolve) => setTimeout(resolve, state.takesMs));
      return { rows: rows.map((hash) => ({ ...row, hash })) };
    },
  };
  const notices = { listen: (hear: (notice: Notice) => void) => listeners.push(hear) };
  const keys = createKeys({
    pool: pool as unknown as Pool,
    notices: notices as unknown as Notices,
    onUse: (keyId) => state.used.push(keyId),
  });
  const find = async (sent = secret): Promise<Key | null> => keys.find(sent);
  return {
    secret,
    state,
    find,
    findNow: () => keys.find(secret),
    publish: (notice: Notice) => listeners.forEach((hear) => hear(notice)),
    pass: (ms: number) => jest.advanceTimersByTime(ms),
  };
}

describe('a key', () => {
  test('is read once for a hundred concurrent lookups, and again after a second', async () => {
    const { find, state, pass } = setUp();
    await Promise.all(Array.from({ length: 100 }, () => find()));
    expect(state.asked).toBe(1);
    pass(499);
    await find();
    expect(state.asked).toBe(1);
    pass(502);
    expect((await find())?.keyId).toBe('key_1');
    expect(state.asked).toBe(2);
    expect(state.used).toEqual(['key_1', 'key_1']);
  });

  test('in steady use is refreshed during a request, which does not wait', async () => {
    const { findNow, find, state, pass } = setUp();
    await find();
    pass(501);
    expect(findNow()).toMatchObject({ keyId: 'key_1' });
    expect(findNow()).toMatchObject({ keyId: 'key_1' });
    expect(state.asked).toBe(2);
    await jest.advanceTimersByTimeAsync(499);
    expect(findNow()).toMatchObject({ keyId: 'key_1' });
    expect(state.asked).toBe(2);
  });

  test('is refreshed together with others in use, but not with keys that nobody uses or that were read just now', async () => {
    const { find, findNow, state, pass } = setUp();
    const [used, unused, late] = (state.others = [newKeySecret(), newKeySecret(), newKeySecret()]) as [
      string,
      string,
      string,
    ];
    for (const secret of [used, unused]) await find(secret);
    await find();
    pass(300);
    for (const secret of [used, late, late]) await find(secret);
    pass(201);
    expect(findNow()).toMatchObject({ keyId: 'key_1' });
    expect(state.askedFor).toEqual([1, 1, 1, 1, 2]);
    await jest.advanceTimersByTimeAsync(1);
    pass(498);
    await find(used);
    expect(state.askedFor).toHaveLength(5);
    pass(2);
    state.isRevoked = true;
    await find();
    await find(used);
    await jest.advanceTimersByTimeAsync(1);
    expect(state.askedFor.slice(5)).toEqual([3]);
    expect(await Promise.all([find(), find(used)])).toEqual([null, null]);
  });

  test('revoked while it is being read is not taken for live because of the earlier read', async () => {
    const { findNow, find, state, pass, publish, secret } = setUp();
    await find();
    pass(501);
    void findNow();
    state.isRevoked = true;
    publish({ kind: 'key', hash: hashKeySecret(secret) });
    await jest.advanceTimersByTimeAsync(1);
    expect(await find()).toBeNull();
  });

  test('revoked is refused after a second, or at the notice', async () => {
    const { find, state, pass, publish, secret } = setUp();
    await find();
    state.isRevoked = true;
    expect(await find()).not.toBeNull();
    publish({ kind: 'key', hash: hashKeySecret(secret) });
    expect(await find()).toBeNull();
    state.isRevoked = false;
    pass(5_001);
    expect(await find()).not.toBeNull();
    state.isRevoked = true;
    pass(1_001);
    expect(await find()).toBeNull();
  });

  test('revoked while a slow database answers is refused within a second', async () => {
    const { find, state } = setUp();
    state.takesMs = 900;
    const asking = find();
    state.isRevoked = true;
    await jest.advanceTimersByTimeAsync(900);
    expect(await asking).not.toBeNull();
    state.takesMs = 0;
    await jest.advanceTimersByTimeAsync(101);
    expect(await find()).toBeNull();
  });

  test('unknown is queried once in five seconds', async () => {
    const { find, state, pass } = setUp();
    const unknown = newKeySecret();
    for (let count = 0; count < 10; count += 1) expect(await find(unknown)).toBeNull();
    expect(state.asked).toBe(1);
    pass(5_001);
    await find(unknown);
    expect(state.asked).toBe(2);
  });

  test('mistyped is refused without a query', async () => {
    const { find, state, secret } = setUp();
    for (let at = 8; at < secret.length; at += 1) {
      const typo = secret.slice(0, at) + (secret[at] === 'a' ? 'b' : 'a') + secret.slice(at + 1);
      expect(await find(typo)).toBeNull();
    }
    expect(state.asked).toBe(0);
  });
});

describe('while the database is down', () => {
  test('a key that was valid is accepted for a minute without a query', async () => {
    const { find, state, pass } = setUp();
    await find();
    state.isAway = true;
    for (let second = 0; second < 58; second += 1) {
      pass(1_001);
      expect((await find())?.keyId).toBe('key_1');
    }
    pass(2_000);
    await expect(find()).rejects.toMatchObject({ name: 'LedgerUnavailable' });
  });

  test('an unknown key is neither accepted nor refused, and not cached as unknown', async () => {
    const { find, state } = setUp();
    state.isAway = true;
    await expect(find()).rejects.toMatchObject({ name: 'LedgerUnavailable' });
    state.isAway = false;
    expect((await find())?.keyId).toBe('key_1');
  });

  test('a key revoked meanwhile is refused once the database is back', async () => {
    const { find, state, pass } = setUp();
    await find();
    state.isAway = true;
    pass(1_001);
    await find();
    Object.assign(state, { isAway: false, isRevoked: true });
    await find();
    await jest.advanceTimersByTimeAsync(1);
    expect(await find()).toBeNull();
  });
});

test('a flood of invented keys is refused before it fills the queue, and known keys still work', async () => {
  const { find, state, pass } = setUp();
  await find();
  state.waitingCount = 501;
  await expect(find(newKeySecret())).rejects.toMatchObject({ name: 'LedgerUnavailable' });
  pass(1_001);
  expect((await find())?.keyId).toBe('key_1');
  expect(state.asked).toBe(1);
});
