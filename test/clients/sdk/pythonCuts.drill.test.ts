import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { setKillStage, type KillStage } from '../../flow/stages/killStage.ts';
import { startAnswerCuts } from '../../support/cuttingProxy.ts';
import { startCuttingProxy } from '../../support/network.ts';
import { flowSeed, seededRandom } from '../../support/random.ts';
import { textModel } from '../../support/startApi.ts';
import { describeWithPython } from '../withPython.ts';
import { installPackage, type PythonPackage } from './pythonPackage.ts';

// Connections that are cut at any byte: more cuts than there can be connections, within one of the first answers.
const CUTS_PER_LANE = 2_000;
const CUT_WITHIN_BYTES = 5_000;

const random = seededRandom(flowSeed);

interface Outcome {
  answers: { id: string | null; isWhole: boolean }[];
  runs: { id: string; isWhole: boolean }[];
  failures: object[];
}

interface Proxy {
  url: string;
  stop(): Promise<void>;
}

describeWithPython('the package for Python', () => {
  let stage: KillStage;
  let installed: PythonPackage;
  const proxies: Proxy[] = [];

  beforeAll(async () => {
    installed = await installPackage();
    stage = await setKillStage();
  }, 600_000);
  afterAll(async () => {
    await Promise.all(proxies.map((proxy) => proxy.stop()));
    await stage?.close();
    await installed?.remove();
  });

  /** The calls and runs of a program with a lane behind each proxy, and the change of the bills. */
  async function callThrough(
    lanes: Proxy[],
    { calls, runs, ...options }: { calls: number; runs: number; maxRetries?: number },
  ) {
    proxies.push(...lanes);
    const numbersOf = (count: number, lane: number) =>
      Array.from({ length: count }, (_, at) => at).filter((number) => number % lanes.length === lane);
    const plan = lanes.map(({ url: baseUrl }, lane) => ({
      baseUrl,
      callNumbers: numbersOf(calls, lane),
      runNumbers: numbersOf(runs, lane),
    }));
    const before = await debits();
    const seen = (await installed.run('cut_calls.py', {
      LEDGERLINE_API_KEY: stage.account.secret,
      PLAN: JSON.stringify({ lanes: plan, textModel, agent: stage.agent, ...options }),
    })) as Outcome;
    await stage.expectQuietSoon();
    return { ...seen, debits: (await debits()) - before };
  }

  async function debits(): Promise<number> {
    const { rows } = await stage.db.pool.query(BILLS, [stage.account.accountId]);
    expect(rows[0]).toMatchObject({ doubled: 0 });
    return rows[0].debits as number;
  }

  function expectOneBillEach(
    outcome: Outcome & { debits: number },
    { calls, runs }: { calls: number; runs: number },
  ): void {
    expect(outcome.failures).toEqual([]);
    expect([...outcome.answers, ...outcome.runs].filter(({ isWhole }) => !isWhole)).toEqual([]);
    expect([outcome.answers.length, outcome.runs.length]).toEqual([calls, runs]);
    const ids = new Set([...outcome.answers, ...outcome.runs].flatMap(({ id }) => id ?? []));
    // Every third call is a read, which costs nothing.
    expect(ids.size).toBe(calls - Math.floor(calls / 3) + runs);
    expect(outcome.debits).toBe(ids.size);
  }

  test('makes 500 calls and 50 runs, of which every third answer is cut, with one bill each', async () => {
    const size = { calls: 500, runs: 50 };
    const lanes = await Promise.all(
      Array.from({ length: 8 }, (_, at) => startAnswerCuts(stage.url(), { firstPlace: at })),
    );
    expectOneBillEach(await callThrough(lanes, size), size);
    expect(lanes.reduce((sum, { cuts }) => sum + cuts.length, 0)).toBeGreaterThan(200);
  }, 600_000);

  test('makes 120 calls and 8 runs over connections that are all cut, with one bill each', async () => {
    const size = { calls: 120, runs: 8 };
    const cuts = () => Array.from({ length: CUTS_PER_LANE }, () => Math.floor(random() * CUT_WITHIN_BYTES));
    const lanes = await Promise.all(Array.from({ length: 4 }, () => startCuttingProxy(cuts())));
    for (const lane of lanes) lane.leadTo(stage.url());
    expectOneBillEach(await callThrough(lanes, { ...size, maxRetries: 8 }), size);
    expect(lanes.reduce((sum, lane) => sum + CUTS_PER_LANE - lane.cutsLeft(), 0)).toBeGreaterThan(30);
  }, 600_000);
});

const BILLS = `select count(*)::int as debits, count(*)::int - count(distinct subject)::int as doubled
from ledger_entries where account_id = $1 and kind = 'debit'`;
