import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { requestCancel } from '../../db/runs/states/cancelRun.ts';
import type { RunRow } from '../../db/runs/runRow.ts';
import { RUN_SEARCH_ATTRIBUTES } from '../../contracts/start.ts';
import { expectRebuilt } from '../ops/admin/rebuilding.ts';
import { expectSoundLedger } from '../support/ledger.ts';
import { setSandboxedRunStage } from '../support/runStage.ts';
import { historiesOf } from './histories.ts';
import { LONG_HISTORY_EVENTS, longScenarios } from './longScenarios.ts';

const stage = await setSandboxedRunStage({ historyEvents: LONG_HISTORY_EVENTS });
afterAll(() => stage.close());

// Events that a turn with one tool may add to a history that is just below the bound.
const TURN_EVENTS_MAX = 40;

// Runs of which each is cancelled a step later than the one before it: the last ones in their third history.
const CANCELLED = 10;

describe.each(Object.entries(longScenarios))('%s', (_name, { promise, ends, play }) => {
  let run: RunRow;
  beforeAll(async () => {
    run = await play(stage);
  });

  test(promise, () => expect(run).toMatchObject(ends));

  test('has short histories under one workflow id', async () => {
    const lengths = (await historiesOf(stage.client, run.id)).map(({ events }) => events!.length);
    expect(lengths.length).toBeGreaterThan(2);
    expect(Math.max(...lengths)).toBeLessThan(LONG_HISTORY_EVENTS + TURN_EVENTS_MAX);
  });

  test('keeps its attributes, and ends in Temporal as it ended', async () => {
    const handle = stage.client.workflow.getHandle(run.id);
    const { searchAttributes, status } = await handle.describe();
    expect(searchAttributes).toMatchObject({
      [RUN_SEARCH_ATTRIBUTES.workspace]: [run.workspace_id],
      [RUN_SEARCH_ATTRIBUTES.agent]: [run.agent],
      [RUN_SEARCH_ATTRIBUTES.version]: [run.version],
      [RUN_SEARCH_ATTRIBUTES.status]: [run.status],
    });
    const { currentDetails } = await handle.query<{ currentDetails: string }>('__temporal_workflow_metadata');
    expect(currentDetails).toContain(`${run.agent} (${run.version})`);
    expect(status.name).toBe(run.status === 'cancelled' ? 'CANCELLED' : 'COMPLETED');
  });

  test('has each step once', async () => {
    const steps = (await stage.eventsOf(run.id)).filter(({ type }) => type === 'run.step.started');
    const ids = steps.map(({ data }) => data.step_id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(steps.every(({ data }) => data.attempt === 1)).toBe(true);
  });

  test('is rebuilt from all of its histories', () => expectRebuilt(stage, run.id));
});

test('a cancellation at any moment ends a run that continues in new histories', async () => {
  const script = {
    turns: Array.from({ length: 60 }, () => ({ toolCalls: [{ name: 'list_files', arguments: '{}' }] })),
  };
  const cancelAt = async (steps: number): Promise<RunRow> => {
    const run = await stage.makeRun({ tools: ['list_files'], settings: { max_steps: 60 }, script });
    await stage.workflows.start(run);
    await stage.untilEvent(run.id, 'run.step.completed', steps);
    const order = { workspaceId: run.workspace_id, runId: run.id, mode: 'immediate', reason: 'enough' } as const;
    await requestCancel(stage.db, order);
    await stage.workflows.cancel(run.id);
    return stage.endOf(run.id);
  };
  const ended = await Promise.all(Array.from({ length: CANCELLED }, (_, nth) => cancelAt(nth + 1)));
  expect(ended.map(({ status }) => status)).toEqual(ended.map(() => 'cancelled'));
  // None went on to its last step, as one without the cancellation would.
  expect(Math.max(...ended.map(({ meters }) => Number(meters.tool_calls ?? 0)))).toBeLessThan(50_000);
  await expectSoundLedger(stage.db);
});
