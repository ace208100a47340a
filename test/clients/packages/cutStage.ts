import { setKillStage } from '../../flow/stages/killStage.ts';
import { startAnswerCuts } from '../../support/cuttingProxy.ts';
import { embeddingModel, textModel } from '../../support/startApi.ts';
import { buildForTests } from './buildForTests.ts';

/** What a customer's program finds out about its calls and runs. */
export interface Outcome {
  answers: { kind: string; number: number; id: string | null; isWhole: boolean }[];
  runs: { number: number; id: string; isWhole: boolean; costUsd: number }[];
  failures: object[];
}

export interface Bills {
  /** Calls that cost something. */
  calls: number;
  runs: number;
  /** Debits of the ledger, and those of a subject that has more than one. */
  debits: number;
  doubled: number;
}

export type CutStage = Awaited<ReturnType<typeof setCutStage>>;

/**
 * An installation with a proxy for each lane of a program, which cuts every third answer. A lane's requests follow one another, so that
 * they are cut at the same places in each run.
 */
export async function setCutStage({ lanes: laneCount }: { lanes: number }) {
  await buildForTests();
  const stage = await setKillStage();
  const lanes = await Promise.all(
    Array.from({ length: laneCount }, (_, at) => startAnswerCuts(stage.url(), { firstPlace: at })),
  );

  /** The plan of a program: numbers of calls and runs for each lane. */
  function planOf({ calls, runs }: { calls: number; runs: number }): string {
    const numbersOf = (count: number, lane: number) =>
      Array.from({ length: count }, (_, at) => at).filter((number) => number % laneCount === lane);
    const parts = lanes.map(({ url: baseUrl }, lane) => ({
      baseUrl,
      callNumbers: numbersOf(calls, lane),
      runNumbers: numbersOf(runs, lane),
    }));
    return JSON.stringify({ lanes: parts, textModel, embeddingModel, agent: stage.agent });
  }

  /** What the account was billed for. */
  async function bills(): Promise<Bills> {
    await stage.expectQuietSoon();
    const { keyId, accountId } = stage.account;
    return (await stage.db.pool.query(BILLS, [keyId, accountId])).rows[0] as Bills;
  }

  return {
    ...stage,
    env: { LEDGERLINE_API_KEY: stage.account.secret },
    planOf,
    bills,
    /** The number of cuts at each place. */
    cutsByPlace: () =>
      Object.entries(
        Object.groupBy(
          lanes.flatMap(({ cuts }) => cuts),
          ({ place }) => place,
        ),
      ).map(([place, cuts]) => [place, cuts?.length] as const),
    async close(): Promise<void> {
      await Promise.all(lanes.map((lane) => lane.stop()));
      await stage.close();
    },
  };
}

const BILLS = `select
  (select count(*)::int from requests where key_id = $1 and cost_nanos > 0) as calls,
  (select count(*)::int from runs where key_id = $1) as runs,
  count(*)::int as debits, count(*)::int - count(distinct subject)::int as doubled
from ledger_entries where account_id = $2 and kind = 'debit'`;
