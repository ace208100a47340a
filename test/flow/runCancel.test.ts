import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { requestCancel } from '../../db/runs/requestCancel.ts';
import { expectSoundLedger } from '../support/ledger.ts';
import { makeAccount } from '../support/account.ts';
import { setRunStage, type RunStage } from '../support/runStage.ts';

const RACES = 250;
const TOGETHER = 25;

let stage: RunStage;

beforeAll(async () => {
  stage = await setRunStage();
  await stage.startWorker();
}, 600_000);

afterAll(() => stage.close());

test('a cancellation and a completion that race agree on one end: status, last event and bill', async () => {
  const account = await makeAccount(stage.db, { creditUsd: '1000' });
  const ends = new Map<string, number>();

  async function race(): Promise<void> {
    const run = await stage.makeRun({ account, script: { text: 'Four.' }, maxCostUsd: 0.01 });
    const started = stage.workflows.start(run);
    // Anywhere between before the beginning and after the end.
    await sleep(Math.random() * 600);
    const order = { workspaceId: run.workspace_id, runId: run.id, mode: 'immediate' as const, reason: null };
    const [first, second] = await Promise.all([requestCancel(stage.db, order), requestCancel(stage.db, order)]);
    await started;
    await stage.workflows.cancel(run.id);
    const ended = await stage.endOf(run.id);
    const events = await stage.eventsOf(run.id);
    const outcomes = [first.outcome, second.outcome];
    expect(['completed', 'cancelled']).toContain(ended.status);
    if (outcomes.includes('cancelled')) expect(ended.status).toBe('cancelled');
    if (outcomes.includes('already_terminal')) expect(ended.status).toBe('completed');
    expect(events.at(-1)).toMatchObject({ type: `run.${ended.status}`, data: { status: ended.status } });
    expect(events.filter(({ type }) => type === 'run.cancelling').length).toBeLessThanOrEqual(1);
    const way = `${first.outcome}, then ${ended.status}`;
    ends.set(way, (ends.get(way) ?? 0) + 1);
  }

  let left = RACES;
  await Promise.all(
    Array.from({ length: TOGETHER }, async () => {
      while (left > 0) {
        left -= 1;
        await race();
      }
    }),
  );
  expect([...ends.values()].reduce((sum, count) => sum + count, 0)).toBe(RACES);
  // Both sides have won, or there was no race.
  expect(new Set([...ends.keys()].map((way) => way.split(' ').at(-1)))).toEqual(new Set(['completed', 'cancelled']));
  await expectSoundLedger(stage.db);
}, 180_000);
