import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { setKillStage, type KillStage } from '../../flow/killStage.ts';
import { startCuttingProxy } from '../../support/network.ts';
import { flowSeed, seededRandom } from '../../support/random.ts';
import { textModel } from '../../support/startApi.ts';
import { describeWithPython } from '../withPython.ts';
import { installPackage, type PythonPackage } from './pythonPackage.ts';

const CALLS = 300;
const RUNS = 24;
const LANES = 4;
// Every third call is a read, which costs nothing.
const PAID = (CALLS / 3) * 2;
// More than there can be connections.
const CUTS_PER_LANE = 2_000;
// An answer has about 1,500 bytes: connections are cut within one of the first answers, at any byte.
const CUT_WITHIN_BYTES = 5_000;

const random = seededRandom(flowSeed);

interface Outcome {
  answers: { id: string | null; isWhole: boolean }[];
  runs: { id: string; isWhole: boolean }[];
  failures: object[];
}

describeWithPython('the package for Python over connections that are cut', () => {
  let stage: KillStage;
  let installed: PythonPackage;
  let proxies: Awaited<ReturnType<typeof startCuttingProxy>>[];

  beforeAll(async () => {
    installed = await installPackage();
    stage = await setKillStage();
    const cuts = () => Array.from({ length: CUTS_PER_LANE }, () => Math.floor(random() * CUT_WITHIN_BYTES));
    proxies = await Promise.all(Array.from({ length: LANES }, () => startCuttingProxy(cuts())));
    for (const proxy of proxies) proxy.leadTo(stage.url());
  }, 600_000);
  afterAll(async () => {
    await Promise.all((proxies ?? []).map((proxy) => proxy.stop()));
    await stage?.close();
    await installed?.remove();
  });

  test(`${CALLS} calls and ${RUNS} runs end well, each with one bill, and every stream is whole`, async () => {
    const numbersOf = (count: number, lane: number) =>
      Array.from({ length: count / LANES }, (_, at) => at * LANES + lane);
    const lanes = proxies.map(({ url: baseUrl }, lane) => ({
      baseUrl,
      callNumbers: numbersOf(CALLS, lane),
      runNumbers: numbersOf(RUNS, lane),
    }));
    const seen = await installed.run('cut_calls.py', {
      LEDGERLINE_API_KEY: stage.account.secret,
      PLAN: JSON.stringify({ lanes, textModel, agent: stage.agent }),
    });
    const { answers, runs, failures } = seen as Outcome;
    expect(failures).toEqual([]);
    expect([...answers, ...runs].filter(({ isWhole }) => !isWhole)).toEqual([]);
    expect(new Set(answers.flatMap(({ id }) => id ?? [])).size).toBe(PAID);
    expect(new Set(runs.map(({ id }) => id)).size).toBe(RUNS);
    await stage.expectQuietSoon();
    const { rows } = await stage.db.pool.query(BILLS, [stage.account.accountId]);
    expect(rows[0]).toEqual({ debits: PAID + RUNS, doubled: 0 });
    const cuts = proxies.reduce((sum, proxy) => sum + CUTS_PER_LANE - proxy.cutsLeft(), 0);
    expect(cuts).toBeGreaterThan(CALLS / 4);
  }, 600_000);
});

const BILLS = `select count(*)::int as debits, count(*)::int - count(distinct subject)::int as doubled
from ledger_entries where account_id = $1 and kind = 'debit'`;
