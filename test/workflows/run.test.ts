import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { expectSoundLedger } from '../support/ledger.ts';
import { type RunStage, setSandboxedRunStage } from '../support/runStage.ts';
import { scenarios } from './scenarios.ts';

let stage: RunStage;

beforeAll(async () => {
  stage = await setSandboxedRunStage();
}, 600_000);
afterAll(() => stage?.close());

describe('each way through a run', () => {
  for (const { promise, ends, play } of Object.values(scenarios)) {
    test(promise, async () => {
      expect(await play(stage)).toMatchObject(ends);
    });
  }

  test('leaves a sound ledger', async () => {
    await expectSoundLedger(stage.db);
  });
});

test('a run has an event for each of its steps, in order', async () => {
  const run = await stage.runToEnd({ script: { text: 'Four.' } });
  expect((await stage.eventsOf(run.id)).map(({ type }) => type)).toEqual([
    'run.created',
    'run.queued',
    'run.in_progress',
    'run.step.started',
    'run.output_text.delta',
    'run.output_text.done',
    'run.step.completed',
    'run.usage.updated',
    'run.completed',
  ]);
});

test('a run that may cost no more does not wait for a higher limit', async () => {
  const run = await stage.runToEnd({
    script: { text: 'word '.repeat(400) },
    maxCostUsd: 0.001,
    maximumCostUsd: 0.001,
    onLimit: 'pause',
  });
  expect(run).toMatchObject({ status: 'limit_reached', limit: { kind: 'max_cost', value: 0.001 } });
});

const eventsOfType = async (runId: string, ...types: string[]) =>
  (await stage.eventsOf(runId)).filter(({ type }) => types.includes(type));

test('a retried step has the time of the retry, and writes a new item from the beginning', async () => {
  const broken = { text: 'I begin to tell you all of it.', fault: 'reset' as const, faultAfterChunks: 4, delayMs: 100 };
  const { id } = await stage.runToEnd({ script: broken });
  const steps = await eventsOfType(id, 'run.step.started', 'run.step.retrying', 'run.step.failed');
  const code = 'answer_interrupted';
  expect(steps).toMatchObject([
    { type: 'run.step.started', data: { attempt: 1 } },
    { type: 'run.step.retrying', data: { attempt: 1, kind: 'model', code } },
    { type: 'run.step.started', data: { attempt: 2 } },
    { type: 'run.step.retrying', data: { attempt: 2, code } },
    { type: 'run.step.started', data: { attempt: 3 } },
    { type: 'run.step.failed', data: { attempt: 3, reason: code } },
  ]);
  expect(new Date(steps[1]!.data.retry_at as string).getTime()).toBeGreaterThan(0);
  const deltas = await eventsOfType(id, 'run.output_text.delta');
  const begun = deltas.filter(({ data }) => data.offset === 0).map(({ data }) => data.item_id);
  expect(begun).toHaveLength(3);
  expect(new Set(begun).size).toBe(3);
});

test('a tool that fails is a failed step with the reason', async () => {
  const toolCalls = [{ name: 'read_file', arguments: '{"path":"not/there.md"}' }];
  const { id, status } = await stage.runToEnd({
    tools: ['read_file'],
    script: { turns: [{ toolCalls }, { text: 'No.' }] },
  });
  expect(status).toBe('completed');
  expect(await eventsOfType(id, 'run.step.failed')).toMatchObject([
    {
      data: {
        kind: 'file',
        name: 'read_file',
        attempt: 1,
        reason: 'tool_error',
        message: expect.stringContaining('there.md'),
      },
    },
  ]);
});

test.each([
  ['modelAway', 'FAILED'],
  ['cancelledWhileThinking', 'CANCELLED'],
  ['cancelledInQueue', 'CANCELLED'],
  ['costLimit', 'COMPLETED'],
])('Temporal shows a run as it ended (%s: %s)', async (name, shown) => {
  const { id } = await scenarios[name]!.play(stage);
  const { status } = await stage.client.workflow.getHandle(id).describe();
  expect(status.name).toBe(shown);
});
