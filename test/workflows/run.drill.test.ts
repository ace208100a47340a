import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { RunRow } from '../../db/runs/runRow.ts';
import type { Script } from '../../rules/scripted/script.ts';
import { expectSoundLedger } from '../support/ledger.ts';
import { setSandboxedRunStage } from '../support/runStage.ts';
import { until } from '../support/until.ts';
import type { Scenario } from './scenario.ts';
import { scenarios } from './scenarios.ts';

const PATHS_AT_ONCE = 4;

const stage = await setSandboxedRunStage();
afterAll(() => stage.close());

describe('each path through a run', () => {
  const all = Object.values(scenarios);
  const besideOthers = all.filter(({ alone }) => !alone);
  const played = new Map<Scenario, Promise<RunRow>>();

  // Most of a path is waiting, so several run concurrently.
  beforeAll(() => {
    const waiting = besideOthers.values();
    const playRest = async (): Promise<void> => {
      for (const scenario of waiting) {
        const playing = scenario.play(stage);
        played.set(scenario, playing);
        await playing.catch(() => {});
      }
    };
    for (let lane = 0; lane < PATHS_AT_ONCE; lane += 1) void playRest();
  });

  for (const scenario of besideOthers) {
    test(scenario.promise, async () => {
      await until(() => played.has(scenario));
      expect(await played.get(scenario)).toMatchObject(scenario.ends);
    });
  }

  for (const { promise, ends, play } of all.filter(({ alone }) => alone)) {
    test(promise, async () => {
      expect(await play(stage)).toMatchObject(ends);
    });
  }

  test('leaves a valid ledger', async () => {
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

test('a run at its maximum cost does not wait for a higher limit', async () => {
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
  const broken = { text: 'I begin to tell you all of it.', fault: 'reset' as const, faultAfterChunks: 4, delayMs: 400 };
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

test('a failed tool becomes a failed step with the reason', async () => {
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

describe('a tool call that the model’s limit cuts', () => {
  const long = '{"path":"a.md","content":"' + 'word '.repeat(60);
  const cut: Script = { toolCalls: [{ name: 'write_file', arguments: long }], finishReason: 'length' };
  const short = { name: 'write_file', arguments: '{"path":"a.md","content":"word"}' };
  const runCut = (turns: Script[]) => stage.runToEnd({ tools: ['write_file'], script: { turns } });
  const stepsOf = async (id: string) => (await eventsOfType(id, 'run.step.started')).map(({ data }) => data.name);

  test('goes back to it once as an error of the tool', async () => {
    stage.upstream.reset();
    const { id, status, output } = await runCut([cut, { toolCalls: [short] }, { text: 'Written.' }]);
    expect([status, output.length, (await stepsOf(id)).filter((name) => name === 'write_file').length]).toEqual([
      'completed',
      2,
      1,
    ]);
    const { messages } = stage.upstream.calls()[1]!.body as { messages: object[] };
    expect(messages.slice(-2)).toMatchObject([
      { role: 'assistant', tool_calls: [{ function: { name: 'write_file', arguments: '{}' } }] },
      { role: 'tool', content: expect.stringContaining(`cut after ${long.length} characters`) },
    ]);
  });

  test('is bought at most twice', async () => {
    const { id, status, limit } = await runCut([cut]);
    expect(limit).toMatchObject({ kind: 'model_output_limit', value: 4096 });
    expect([status, (await stepsOf(id)).length]).toEqual(['limit_reached', 2]);
  });

  test('keeps the calls before it, which were whole', async () => {
    const both: Script = { toolCalls: [short, ...cut.toolCalls!], finishReason: 'length' };
    const { output } = await runCut([both, { text: 'Written.' }]);
    expect(output).toMatchObject([{ type: 'output_file', filename: 'a.md' }, { text: 'Written.' }]);
  });

  test('of a typed run goes back too', async () => {
    const returned = (args: string, more: Script = {}): Script => ({
      toolCalls: [{ name: 'return_data', arguments: args }],
      ...more,
    });
    const settings = { output_schema: { type: 'object', properties: { a: { type: 'number' } }, required: ['a'] } };
    const turns = [returned('{"a": [1, 2', { finishReason: 'length' }), returned('{"a": 1}')];
    const run = await stage.runToEnd({ settings, script: { turns } });
    expect(run).toMatchObject({ status: 'completed', output: [{ type: 'output_data', data: { a: 1 } }] });
  });

  test('leaves a valid ledger', () => expectSoundLedger(stage.db));
});

test.each([
  ['modelAway', 'FAILED'],
  ['cancelledWhileThinking', 'CANCELLED'],
  ['cancelledInQueue', 'CANCELLED'],
  ['costLimit', 'COMPLETED'],
])('Temporal shows a run with its own end (%s: %s)', async (name, shown) => {
  const { id } = await scenarios[name]!.play(stage);
  const { status } = await stage.client.workflow.getHandle(id).describe();
  expect(status.name).toBe(shown);
});
