import { describe, expect, test } from '@jest/globals';
import { planCompaction } from '../../../activities/run/compaction.ts';
import { messagesOfSteps } from '../../../activities/run/stepMessages.ts';
import { compactionRuleOf } from '../../../db/agents/compaction.ts';
import type { Model } from '../../../db/catalog/catalog.ts';
import type { Compaction } from '../../../db/entities/agentJson.ts';
import type { Conversation, ModelResult, RecordedStep } from '../../../db/runs/steps/stepRecords.ts';

const model = { contextTokens: 10_000, outputTokensMax: 1_000 } as Model;
const words = (count: number) => 'word '.repeat(count);

function turn(
  step: number,
  {
    tokens = 200,
    outcome = 'tools',
    contextTokens = 0,
  }: { tokens?: number; outcome?: ModelResult['outcome']; contextTokens?: number } = {},
): RecordedStep[] {
  const toolCalls = outcome === 'tools' ? [{ step: step + 1, id: `call_${step}`, name: 'look', arguments: '{}' }] : [];
  const answer: RecordedStep = {
    step,
    id: `step_${step}`,
    attempt: 1,
    kind: 'model',
    result: { text: words(tokens), toolCalls, outcome, contextTokens },
  };
  const tool: RecordedStep = {
    step: step + 1,
    id: `step_${step + 1}`,
    attempt: 1,
    kind: 'tool',
    result: { text: 'Seen.', isError: false },
  };
  return outcome === 'tools' ? [answer, tool] : [answer];
}

const turns = (count: number, contextTokens: number, tokens?: number): RecordedStep[] =>
  Array.from({ length: count }, (_, at) => turn(at * 2 + 1, { contextTokens, ...(tokens && { tokens }) })).flat();

const plan = (
  steps: RecordedStep[],
  {
    compaction,
    stepsMax = 100,
    modelCalls = 5,
  }: { compaction?: Compaction; stepsMax?: number; modelCalls?: number } = {},
) =>
  planCompaction(
    { configuration: { compaction, max_steps: stepsMax }, steps, modelCalls } as unknown as Conversation,
    model,
  );

describe('the rule of a version', () => {
  test.each([
    [{}, undefined],
    [{ max_steps: 32 }, undefined],
    [{ max_steps: 33 }, { mode: 'summarize', thresholdTokens: 8_000, turnsKept: 3 }],
    [{ max_steps: 500, compaction: { mode: 'off' as const } }, undefined],
    [
      { compaction: { mode: 'truncate' as const, compact_threshold: 5_000, keep_turns: 1 } },
      { mode: 'truncate', thresholdTokens: 5_000, turnsKept: 1 },
    ],
    [{ compaction: { mode: 'truncate' as const, compact_threshold: 50_000 } }, { thresholdTokens: 8_000 }],
  ])('%j', (settings, rule) => {
    const found = compactionRuleOf(settings, model);
    if (rule) expect(found).toMatchObject(rule);
    else expect(found).toBeUndefined();
  });

  test('leaves a long answer its room, up to half of the context', () => {
    const own = { contextTokens: 10_000, outputTokensMax: 9_000 };
    expect(compactionRuleOf({ max_steps: 100 }, own)).toMatchObject({ thresholdTokens: 5_000 });
  });
});

describe('a compaction is due', () => {
  test('above the threshold, and keeps the last turns', async () => {
    expect(await plan(turns(30, 7_000))).toBeUndefined();
    expect(await plan(turns(30, 8_100))).toEqual({ mode: 'summarize', through: 54, instructions: null });
  });

  test('with the results of tools that came after the last call', async () => {
    const steps = turns(30, 7_900);
    const last = steps.at(-1)!;
    if (last.kind === 'tool') last.result.text = words(200);
    expect(await plan(steps)).toMatchObject({ through: 54 });
  });

  test('and keeps fewer turns when the last ones are large', async () => {
    expect(await plan(turns(6, 8_100, 1_300))).toMatchObject({ through: 6 });
    expect(await plan(turns(4, 8_100, 1_500))).toMatchObject({ through: 6 });
  });

  test('not for a text that the next answer continues, nor twice, nor for little', async () => {
    expect(await plan([...turns(30, 8_100), ...turn(61, { outcome: 'length', contextTokens: 8_200 })])).toBeUndefined();
    const done: RecordedStep = {
      step: 61,
      id: 'step_61',
      attempt: 1,
      kind: 'compaction',
      result: { text: 'All.', toolCalls: [], outcome: 'compacted', mode: 'summarize', through: 54 },
    };
    expect(await plan([...turns(30, 8_100), done])).toBeUndefined();
    expect(await plan(turns(4, 8_100))).toBeUndefined();
    // Unless the next call would not fit.
    expect(await plan(turns(4, 9_300))).toMatchObject({ through: 6 });
  });

  test('without a call of the model when only one is left', async () => {
    expect(await plan(turns(30, 8_100), { modelCalls: 98 })).toMatchObject({ mode: 'summarize' });
    expect(await plan(turns(30, 8_100), { modelCalls: 99 })).toMatchObject({ mode: 'truncate' });
  });
});

test('results that would fill a quarter of the context lose their middle', () => {
  const [answer, tool] = turn(1) as [RecordedStep, RecordedStep];
  if (tool.kind === 'tool') tool.result.text = `Begin ${'x'.repeat(5_000)} end`;
  const [, whole] = messagesOfSteps([answer, tool], { pictures: new Map(), resultsCharsMax: Infinity });
  expect(whole!.content).toHaveLength(5_010);
  const [, cut] = messagesOfSteps([answer, tool], { pictures: new Map(), resultsCharsMax: 1_000 });
  expect(cut!.content).toMatch(/^Begin x+\n\[4010 characters are left out here: read it in parts\.\]\nx+ end$/);
});
