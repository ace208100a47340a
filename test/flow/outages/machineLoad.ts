import { expect } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { newId } from '../../../db/ids.ts';
import { expectBilled, failuresIn } from './databaseLoad.ts';
import { ask, chatBody, type Account, type Answer } from '../stages/moneyStage.ts';
import type { TwoMachines } from './twoMachines.ts';

const CALLERS_PER_MACHINE = 4;
// A client would pause before a retry.
const PAUSE_MS = 50;

export type MachineLoad = Awaited<ReturnType<typeof startMachineLoad>>;

/** Calls and runs of clients at both machines, until it is stopped: the requests, and the clients' knowledge of them. */
export async function startMachineLoad(stage: TwoMachines, account: Account) {
  const agent = await stage.publish(account);
  const answers: Answer[][] = stage.machines.map(() => []);
  /** The idempotency key of each accepted run. */
  const runs = new Map<string, string>();
  const ending = new AbortController();

  const call = async (machine: number, number: number) => {
    for (let call = number; !ending.signal.aborted; call += 1) {
      const body = chatBody({ text: 'word '.repeat(20), delayMs: 3 }, { stream: call % 2 === 0 });
      const answer = await ask(stage.urls()[machine]!, account.secret, body).catch(() => UNKNOWN);
      answers[machine]!.push(answer);
      if (answer.status !== 200) await sleep(PAUSE_MS);
    }
  };
  const callers = stage.callers(account, agent);
  const order = async (machine: number) => {
    const caller = callers[machine]!;
    while (!ending.signal.aborted) {
      const key = newId('test');
      const script = { text: 'word '.repeat(20), delayMs: 10 };
      const { status, run } = await caller.postPatiently('/v1/runs', caller.orderOf(script), {
        'idempotency-key': key,
      });
      expect(status).toBe(202);
      runs.set(run!.id, key);
      await sleep(PAUSE_MS);
    }
  };
  const numbers = Array.from({ length: CALLERS_PER_MACHINE }, (_, number) => number);
  const running = Promise.all(
    [0, 1].flatMap((machine) => [order(machine), ...numbers.map((number) => call(machine, number))]),
  );
  return {
    answers: () => answers.flat(),
    runs,
    /** The calls that a machine has answered completely. */
    served: (machine: number): number => answers[machine]!.filter(({ status }) => status === 200).length,
    /** The failures that clients of a machine have seen. */
    failures: (machine: number): string[] => [...failuresIn(answers[machine]!)].toSorted(),
    stop: async () => {
      ending.abort();
      await running;
    },
  };
}

// The connection broke: the call may have been served.
const UNKNOWN: Answer = { status: 0, code: 'no answer', costNanos: 0n, requestId: '', text: '' };

/** Checks the clients' knowledge against bills, runs and events, after everything has ended. */
export async function expectSoundLoad(stage: TwoMachines, account: Account, load: MachineLoad): Promise<void> {
  await stage.quiet(account.accountId);
  await expectBilled(stage, account, load.answers());
  const { rows } = await stage.db.pool.query(RUNS, [account.workspaceId]);
  expect(new Map(rows.map(({ id, key }) => [id, key]))).toEqual(load.runs);
  for (const { status, cost, debited, types, numbers } of rows) {
    // A step that a machine cannot continue for long may fail its run, which costs nothing.
    expect(['completed', 'failed']).toContain(status);
    expect(debited).toBe(status === 'completed' ? cost : '0');
    expect(numbers).toEqual(types.map((_: string, index: number) => index + 1));
    expect(types.filter((type: string) => ENDINGS.has(type))).toEqual([types.at(-1)]);
  }
}

const ENDINGS = new Set(['run.completed', 'run.failed', 'run.cancelled', 'run.limit_reached']);

const RUNS = `
select r.id, r.status, k.key, r.total_nanos as cost,
  (select coalesce(-sum(amount_nanos), 0)::bigint from ledger_entries where kind = 'debit' and subject = r.id) as debited,
  array(select type from run_events e where e.run_id = r.id order by sequence) as types,
  array(select sequence::int from run_events e where e.run_id = r.id order by sequence) as numbers
from runs r left join idempotency_keys k on k.resource_id = r.id
where r.workspace_id = $1`;
