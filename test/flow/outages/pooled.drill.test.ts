import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { describeWhen } from '../../support/needs.ts';
import { makeDatabase, openTestDatabase } from '../../support/database.ts';
import { hasPgBouncer, startPgBouncer, storeLoginSettings, type PgBouncer } from '../../support/pgBouncer.ts';
import { startApiProcess } from '../../support/startApi.ts';
import { until } from '../../support/until.ts';
import { call } from '../../workflows/scenarios.ts';
import { expectSound, failuresIn, startLoad, untilRefused } from './databaseLoad.ts';
import { setKillStage, type KillStage } from '../stages/killStage.ts';
import { testLastCent } from '../money/lastCentRounds.ts';
import { setMoneyStage, type MoneyStage } from '../stages/moneyStage.ts';
import { createCaller } from '../stages/runCaller.ts';

const describePooled = (name: string, body: () => void) =>
  describeWhen(hasPgBouncer, 'PgBouncer 1.21 or newer')(`behind PgBouncer in transaction mode, ${name}`, body);

/** A stage whose API processes reach their database through a pooler of few connections. */
async function setPooledStage(apis: number): Promise<{ stage: MoneyStage; bouncer: PgBouncer }> {
  const stage = await setMoneyStage({ apis: 0, start: startApiProcess });
  await storeLoginSettings(stage.databaseUrl);
  const bouncer = await startPgBouncer(stage.databaseUrl);
  for (let count = 0; count < apis; count += 1) await stage.startAnother(bouncer.env);
  return { stage, bouncer };
}

describePooled('a process without the settings of its login', () => {
  test('is refused with a sentence that says what to run', async () => {
    const database = await makeDatabase();
    const bouncer = await startPgBouncer(database.url);
    const opening = openTestDatabase({ url: bouncer.url, directUrl: database.url, spends: true });
    await expect(opening).rejects.toThrow(/lack settings .*role.*run npm run migrate with DATABASE_DIRECT_URL set/);
    await bouncer.stop();
    await database.drop();
  });
});

describePooled('calls', () => {
  let stage: MoneyStage;
  let bouncer: PgBouncer;
  beforeAll(async () => {
    ({ stage, bouncer } = await setPooledStage(2));
  });
  afterAll(async () => {
    await stage?.close();
    await bouncer?.stop();
  });

  test('are served and billed, over fewer connections than two processes have', async () => {
    const account = await stage.account({ creditUsd: '100' });
    const load = startLoad(stage, account);
    await until(() => load.served() > 500);
    expect(await bouncer.serverConnections()).toBeLessThanOrEqual(6);
    await load.stop();
    expect([...failuresIn(load.answers)]).toEqual([]);
    await expectSound(stage, account, load.answers);
  });

  test.each([0, 1, 2])('lose no bill and are billed once when the pooler is killed (round %i)', async () => {
    const account = await stage.account({ creditUsd: '100' });
    const load = startLoad(stage, account);
    await until(() => load.served() > 50);
    await bouncer.kill();
    const asked = await untilRefused(stage, account);
    await bouncer.start();
    const servedBefore = load.served();
    await until(() => load.served() > servedBefore + 50);
    await load.stop();
    await expectSound(stage, account, [...load.answers, ...(await Promise.all(asked))]);
    expect(stage.running.flatMap(({ lines }) => lines.filter((line) => line.includes('"crashed"')))).toEqual([]);
  });
});

describePooled('the last cent', () => {
  let bouncer: PgBouncer;
  testLastCent({
    accounts: 1,
    setStage: async () => {
      const pooled = await setPooledStage(2);
      bouncer = pooled.bouncer;
      return pooled.stage;
    },
  });
  afterAll(() => bouncer?.stop());
});

describePooled('runs', () => {
  let stage: KillStage;
  let bouncer: PgBouncer;
  beforeAll(async () => {
    const reach = async (databaseUrl: string) => {
      await storeLoginSettings(databaseUrl);
      bouncer = await startPgBouncer(databaseUrl);
      return bouncer.env;
    };
    stage = await setKillStage({ reach });
  });
  afterAll(async () => {
    await stage?.close();
    await bouncer?.stop();
  });

  test('end once, also when the pooler is killed between their steps', async () => {
    const caller = createCaller(stage);
    const script = {
      turns: [
        { toolCalls: [call('write_file', { path: 'a.txt', content: 'a' })] },
        { text: 'word '.repeat(40), delayMs: 50 },
        { text: 'Done.' },
      ],
    };
    const order = async () => (await caller.postPatiently('/v1/runs', caller.orderOf(script))).run!.id;
    const ids = await Promise.all(Array.from({ length: 10 }, order));
    await bouncer.kill();
    await bouncer.start();
    await until(async () => (await stage.countOpenRuns()) === 0, { pollMs: 100, timeoutMs: 120_000 });
    const { rows } = await stage.db.pool.query(
      'select status, count(*)::int as runs from runs where id = any ($1) group by 1',
      [ids],
    );
    expect(rows).toEqual([{ status: 'completed', runs: ids.length }]);
    expect(stage.crashes()).toEqual([]);
    await stage.expectQuietSoon();
  });
});
