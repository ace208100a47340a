import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { until } from '../support/until.ts';
import { ask, chatBody, setMoneyStage, sweepDead, type MoneyStage } from './moneyStage.ts';
import { startOwnPostgres } from './ownPostgres.ts';

const callers = 5;
let postgres: Awaited<ReturnType<typeof startOwnPostgres>>;
let stage: MoneyStage;

beforeAll(async () => {
  postgres = await startOwnPostgres();
  stage = await setMoneyStage();
});
afterAll(async () => {
  postgres?.resume();
  await stage?.close();
  await postgres?.remove();
});

test('calls that were answered 503 while the database stood still are not billed, although their process was killed', async () => {
  const account = await stage.account({ creditUsd: '100' });
  const [api] = stage.running;
  // Its slice is there: the calls that count need the database for their bills alone.
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
  await sweepDead(stage, [account]);
  expect(await stage.balance(account)).toBe(before);
});
