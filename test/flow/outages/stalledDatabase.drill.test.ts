import { afterAll, expect, test } from '@jest/globals';
import { startApiProcess } from '../../support/startApi.ts';
import { until } from '../../support/until.ts';
import { ask, chatBody, setMoneyStage, sumOf, sweepExpired } from '../stages/moneyStage.ts';
import { startOwnPostgres } from './ownPostgres.ts';

const callers = 5;

const postgres = await startOwnPostgres();
const stage = await setMoneyStage({ start: startApiProcess });
afterAll(async () => {
  postgres.resume();
  await stage.close();
  await postgres.remove();
});

test('answers whose posting was lost in a database crash are billed again at once', async () => {
  const account = await stage.account({ creditUsd: '1' });
  // Asynchronous commits stay in memory for this long.
  await postgres.query(`alter system set wal_writer_delay = '10s'`);
  await postgres.query('select pg_reload_conf()');
  const answers = await Promise.all(
    Array.from({ length: callers }, () => ask(stage.urls()[0]!, account.secret, chatBody({ headDelayMs: 200 }))),
  );
  const sql = 'select coalesce(sum(cost_nanos), 0) as total from requests where key_id = $1';
  const billed = async () => BigInt((await stage.db.pool.query(sql, [account.keyId])).rows[0].total as string);
  const total = sumOf(answers.map(({ costNanos }) => costNanos));
  expect(total).toBeGreaterThan(0n);
  // Read directly, because a query through the ledger posts waiting settlements.
  await until(async () => (await billed()) === total, { pollMs: 5 });
  await postgres.kill();
  await postgres.start();
  await until(async () => (await billed().catch(() => 0n)) === total);
  await stage.quiet(account.accountId);
});

test('calls answered 503 while the database stalled are not billed, although their process was killed', async () => {
  const account = await stage.account({ creditUsd: '100' });
  const [api] = stage.running;
  // Its slice exists, so the measured calls need the database only for their bills.
  await ask(api!.url, account.secret, chatBody({}));
  await stage.db.ledger.posted();
  const before = await stage.balance(account);
  const asking = Array.from({ length: callers }, () => ask(api!.url, account.secret, chatBody({ headDelayMs: 1_000 })));
  await until(() => stage.upstream.calls().length === callers + 1);
  await postgres.stall();
  const answers = await Promise.all(asking);
  expect(answers.map(({ status, code }) => `${status} ${code}`)).toEqual(answers.map(() => '503 overloaded'));
  process.kill(api!.pid, 'SIGKILL');
  await api!.exited;
  postgres.resume();
  await sweepExpired(stage, [account]);
  expect(await stage.balance(account)).toBe(before);
});
