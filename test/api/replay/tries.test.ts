import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { hash, randomBytes } from 'node:crypto';
import { storeParts } from '../../../db/answers/answerPart.ts';
import { newId } from '../../../db/ids.ts';
import { createKey } from '../../../db/keys/keyStore.ts';
import { chatBody, setMoneyStage, type Account } from '../../flow/stages/moneyStage.ts';
import { until } from '../../support/until.ts';
import { billsOf, creditNanos, expectOneBill, send, streamBody, type Sending } from './replayStage.ts';

let account: Account;

const stage = await setMoneyStage({ apis: 2 });
const urls = stage.urls();
beforeEach(async () => {
  stage.upstream.reset();
  account = await stage.account({ balanceNanos: creditNanos });
});
afterAll(() => stage.close());

const key = 'a-key-of-several-tries';
const idOf = async (sent: Promise<Response>) => {
  const answer = await sent;
  await answer.text();
  return answer.headers.get('x-request-id')!;
};

const claimOf = async ({ workspaceId }: Account) => {
  const sql = 'select fingerprint, body_hash from call_claims where workspace_id = $1';
  const { rows } = await stage.db.pool.query<{ fingerprint: string; body_hash: string }>(sql, [workspaceId]);
  return rows[0];
};

describe('tries that look for each other', () => {
  test.each([
    [0, 1],
    [1, 0],
    [0, 0],
  ])('are one call when the second one comes while the first one runs, at APIs %i and %i', async (at, other) => {
    const body = chatBody({ text: 'Run once.', headDelayMs: 300 });
    const first = idOf(send(urls[at]!, account, { body, key }));
    await until(() => stage.upstream.calls().length === 1);
    expect(await idOf(send(urls[other]!, account, { body, key }))).toBe(await first);
    expect(stage.upstream.calls()).toHaveLength(1);
    await expectOneBill(stage, account);
  });

  test('are one call when a hundred come at once, at both APIs', async () => {
    const body = chatBody({ text: 'Run once for all.', headDelayMs: 300 });
    const tries = Array.from({ length: 100 }, (_, nth) => send(urls[nth % 2]!, account, { body, key }));
    const answers = await Promise.all(tries.map(async (sent) => [(await sent).status, await (await sent).text()]));
    expect(new Set(answers.map(String)).size).toBe(1);
    expect(answers[0]![0]).toBe(200);
    expect(stage.upstream.calls()).toHaveLength(1);
    await expectOneBill(stage, account);
  });

  test('are refused at once when the key is of another request that runs', async () => {
    const body = chatBody({ text: 'Run once.', headDelayMs: 300 });
    const first = idOf(send(urls[0]!, account, { body, key }));
    await until(() => stage.upstream.calls().length === 1);
    for (const url of urls) {
      const other = await send(url, account, { body: chatBody({ text: 'Another.' }), key });
      expect([other.status, await other.json()]).toMatchObject([409, { error: { code: 'idempotency_conflict' } }]);
    }
    await first;
  });

  test('run once more after one that failed, and that is the call from then on', async () => {
    const body = streamBody('Cut off in the middle.');
    stage.upstream.script({ fault: 'reset' });
    const order = JSON.stringify({ ...JSON.parse(body), messages: [{ role: 'user', content: 'Hello.' }] });
    await (await send(urls[0]!, account, { body: order, key })).text().catch(() => '');
    stage.upstream.script({});
    const ids = new Set<string>();
    for (const at of [0, 1, 0, 1]) ids.add(await idOf(send(urls[at]!, account, { body: order, key })));
    expect(ids.size).toBe(1);
    expect(await billsOf(stage, account)).toHaveLength(1);
  });

  test('run once more after a long one that failed', async () => {
    const { keyId, workspaceId } = account;
    const body = chatBody({ text: 'Run again.' });
    const head = {
      status: 200,
      route: '/v1/chat/completions',
      headers: {},
      bodyHash: ` ${hash('sha256', body, 'base64url')}`,
    };
    const requestId = newId('req');
    // More than one statement reads.
    const parts = Array.from({ length: 250 }, (_, part) => ({
      requestId,
      workspaceId,
      fingerprint: part === 0 ? `${keyId} POST /v1/chat/completions key ${key}` : null,
      part,
      state: part === 249 ? ('failed' as const) : ('open' as const),
      bytes: Buffer.from(part === 0 ? `${JSON.stringify(head)}\n` : 'piece'),
    }));
    await storeParts(stage.db.pool, parts);
    const again = await send(urls[0]!, account, { body, key });
    expect([again.headers.get('idempotent-replayed'), await again.text()]).toEqual([
      null,
      expect.stringContaining('Run again.'),
    ]);
    await expectOneBill(stage, account);
  });

  test('have a query of any length', async () => {
    const path = `/v1/chat/completions?long=${randomBytes(4_000).toString('hex')}`;
    const body = chatBody({ text: 'Asked with a long query.' });
    const first = await idOf(send(urls[0]!, account, { body, path, retries: 0 }));
    expect(await idOf(send(urls[1]!, account, { body, path, retries: 1 }))).toBe(first);
    await expectOneBill(stage, account);
  });
});

describe('a try never gets the answer of another key', () => {
  const sendings: [string, Pick<Sending, 'key' | 'retries'>][] = [
    ['with an idempotency key', { key }],
    ['with a mark of a retry', { retries: 1 }],
  ];
  const places = [
    ['here', 0],
    ['elsewhere', 1],
  ] as const;

  /** A key of the same workspace, and one of another. */
  async function others(): Promise<Account[]> {
    const order = { workspaceId: account.workspaceId, name: 'other', scopes: ['llm'] as ['llm'] };
    const { id: keyId, secret } = await createKey(stage.db.everywhere, order);
    return [{ ...account, keyId, secret }, await stage.account({ balanceNanos: creditNanos })];
  }

  describe.each(sendings)('%s', (_, how) => {
    test.each(places)('that has ended %s', async (_where, at) => {
      const body = chatBody({ text: 'Of one key alone.' });
      const first = await idOf(send(urls[0]!, account, { body, ...how }));
      for (const other of await others()) {
        const answer = await send(urls[at]!, other, { body, ...how });
        expect([answer.status, answer.headers.get('idempotent-replayed')]).toEqual([200, null]);
        expect(answer.headers.get('x-request-id')).not.toBe(first);
        await answer.text();
        expect(await billsOf(stage, other)).toHaveLength(1);
      }
    });

    test.each(places)('that runs %s', async (_where, at) => {
      const body = chatBody({ text: 'Of one key alone.', headDelayMs: 300 });
      const first = idOf(send(urls[0]!, account, { body, ...how }));
      await until(() => stage.upstream.calls().length === 1);
      const [same, stranger] = await others();
      const ids = await Promise.all([same!, stranger!].map((other) => idOf(send(urls[at]!, other, { body, ...how }))));
      expect(new Set([await first, ...ids]).size).toBe(3);
      expect(stage.upstream.calls()).toHaveLength(3);
    });
  });
});

describe('a retry beside a process that is paused', () => {
  beforeEach(() =>
    stage.db.pool.query(
      `insert into processes (id, lease_until, renewed_at) values ('paused', now() + interval '1 hour', now() - interval '1 minute')
      on conflict (id) do update set reaped_at = null`,
    ),
  );
  afterEach(() => stage.db.pool.query(`update processes set reaped_at = now() where id = 'paused'`));

  test('does not run: that one may run the first try, and gives its answer later', async () => {
    const retry = send(urls[0]!, account, { body: chatBody({ text: 'A second run.' }), retries: 1 });
    await until(async () => (await claimOf(account)) !== undefined);
    const { fingerprint, body_hash: bodyHash } = (await claimOf(account))!;
    const head = { status: 200, route: '/v1/chat/completions', headers: {}, bodyHash };
    const bytes = Buffer.from(`${JSON.stringify(head)}\nThe first run.`);
    const { workspaceId } = account;
    // Longer than a question to another process takes.
    await sleep(1_000);
    await storeParts(stage.db.pool, [
      { requestId: newId('req'), workspaceId, fingerprint, part: 0, state: 'whole', bytes },
    ]);
    expect(await (await retry).text()).toBe('The first run.');
    expect(stage.upstream.calls()).toEqual([]);
  });

  test('runs once that one is dead', async () => {
    const retry = send(urls[0]!, account, { body: chatBody({ text: 'A second run.' }), retries: 1 });
    await until(async () => (await claimOf(account)) !== undefined);
    await stage.db.pool.query(`update processes set reaped_at = now() where id = 'paused'`);
    expect((await retry).status).toBe(200);
    await expectOneBill(stage, account);
  });
});
