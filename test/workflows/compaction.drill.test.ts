import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Compaction } from '../../db/entities/agentJson.ts';
import type { RunRow } from '../../db/runs/runRow.ts';
import type { Script } from '../../rules/scripted/script.ts';
import type { Json } from '../../providers/provider.ts';
import { expectRebuilt } from '../ops/admin/rebuilding.ts';
import { expectSoundLedger } from '../support/ledger.ts';
import { setSandboxedRunStage, type RunSetup, type RunStage } from '../support/runStage.ts';
import { LONG_HISTORY_EVENTS } from './longScenarios.ts';
import { rerun } from './rerunScenarios.ts';
import { answer } from './scenarios.ts';

// So many turns need more than two summaries.
const TURNS = 12;
let stage: RunStage;
/** A run of so many turns with summaries, and its calls of the model. */
let run: RunRow;
let calls: Json[][];
beforeAll(async () => {
  stage = await setSandboxedRunStage({ historyEvents: LONG_HISTORY_EVENTS });
  talk(TURNS);
  run = await stage.runToEnd(setup(summarize));
  calls = stage.upstream.calls().map(messagesIn);
}, 600_000);
afterAll(() => stage?.close());

/** An answer of about 300 tokens, with a call. */
const long = (nth: number): Script => ({
  text: `Look ${nth}: ${'word '.repeat(280)}`,
  toolCalls: [{ name: 'list_files', arguments: '{}' }],
});
/** The model calls a tool in so many turns, then it answers. The runs here are one after the other. */
function talk(turns: number): void {
  stage.upstream.reset();
  stage.upstream.script({ turns: [...Array.from({ length: turns }, (_, nth) => long(nth)), { text: 'Done.' }] });
}

const setup = (compaction: Compaction | undefined, maxSteps: number | undefined = 60): RunSetup => ({
  tools: ['list_files'],
  input: 'Look for it.',
  settings: { ...(maxSteps && { max_steps: maxSteps }), ...(compaction && { compaction }) },
});

const summarize: Compaction = {
  mode: 'summarize',
  compact_threshold: 1_500,
  keep_turns: 2,
  instructions: 'Keep paths.',
};

const messagesIn = ({ body }: { body: unknown }): Json[] => (body as { messages: Json[] }).messages;
const stepsOf = async (run: RunRow) =>
  (await stage.eventsOf(run.id)).filter(({ type }) => type === 'run.step.completed').map(({ data }) => data);

describe('a run whose conversation becomes long', () => {
  test('is summarized in steps of their own, and completes all of its turns', async () => {
    expect(run).toMatchObject({ status: 'completed' });
    expect(Number(run.meters.tool_calls)).toBe(TURNS * 1_000);
    const steps = await stepsOf(run);
    const summaries = steps.filter(({ kind }) => kind === 'compaction');
    expect(summaries.length).toBeGreaterThan(2);
    for (const one of summaries) {
      expect(one).toMatchObject({ name: 'summarize', attempt: 1, result_preview: expect.stringContaining('answers]') });
      expect([one.input_tokens, one.output_tokens, one.cost_usd].every((value) => Number(value) > 0)).toBe(true);
    }
    expect(calls).toHaveLength(TURNS + 1 + summaries.length);
  });

  test('sends short conversations, in which the instructions, the input and the last turns stay', () => {
    for (const messages of calls) {
      expect(messages[0]).toMatchObject({ role: 'system', content: 'Do as you are told.' });
      expect(messages[1]).toMatchObject({ role: 'user', content: 'Look for it.' });
      expect(messages.length).toBeLessThan(2 * TURNS);
    }
    const asked = calls.findIndex((messages) => String(messages.at(-1)!.content).startsWith('Summarize this task'));
    expect(calls[asked]!.at(-1)).toMatchObject({ role: 'user', content: expect.stringMatching(/\n\nKeep paths\.$/) });
    // The call for a summary repeats the beginning of the call before it, for the vendor's cache.
    const repeated = calls[asked]!.slice(0, -1);
    expect(calls[asked - 1]!.slice(0, repeated.length)).toEqual(repeated);
    const after = calls[asked + 1]!;
    expect(after.slice(2).map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'assistant', 'tool']);
    expect(after[2]!.content).toMatch(
      /^Earlier messages of this task are replaced by this summary:\n\n\[\d+ answers\]/,
    );
  });

  test('pays for the summaries by the same meters', async () => {
    const { rows } = await stage.db.pool.query(
      `select s.kind, m.meter, sum(m.quantity_thousandths)::int as quantity from run_steps s join run_meters m using (run_id, step)
       where s.run_id = $1 group by 1, 2`,
      [run.id],
    );
    const of = (kind: string, meter: string) =>
      (rows as { kind: string; meter: string; quantity: number }[]).find(
        (row) => row.kind === kind && row.meter === meter,
      )!.quantity;
    expect(of('compaction', 'model_input_tokens')).toBeGreaterThan(0);
    expect(of('model', 'model_input_tokens') + of('compaction', 'model_input_tokens')).toBe(
      Number(run.meters.model_input_tokens),
    );
    await expectSoundLedger(stage.db);
  });

  test('has no summary in its output', () => {
    expect(JSON.stringify(run.output)).not.toContain('answers]');
    expect(run.output.at(-1)).toEqual({ type: 'output_text', text: 'Done.' });
  });

  test('is rebuilt from its histories', () => expectRebuilt(stage, run.id));

  test('is run again from a step before a summary, from the summary, and after it', async () => {
    const { rows } = await stage.db.pool.query(
      `select step from run_steps where run_id = $1 and kind = 'compaction' order by step`,
      [run.id],
    );
    const [, second] = rows as { step: number }[];
    for (const fromStep of [second!.step - 1, second!.step, second!.step + 1]) {
      talk(TURNS);
      const again = await rerun(stage, run, fromStep, setup(summarize));
      expect(again).toMatchObject({ status: 'completed', output: run.output });
      const first = messagesIn(stage.upstream.calls()[0]!);
      const isSummaryAgain = String(first.at(-1)!.content).startsWith('Summarize this task');
      expect(isSummaryAgain).toBe(fromStep <= second!.step);
      const kinds = await stage.db.pool.query(`select kind, name from run_steps where run_id = $1 order by step`, [
        again.id,
      ]);
      const before = await stage.db.pool.query(`select kind, name from run_steps where run_id = $1 order by step`, [
        run.id,
      ]);
      expect(kinds.rows).toEqual(before.rows);
    }
    await expectSoundLedger(stage.db);
  });
});

test('truncation leaves out earlier turns in a step without a cost or a call', async () => {
  talk(TURNS);
  const cutRun = await stage.runToEnd(setup({ mode: 'truncate', compact_threshold: 1_500 }, 10));
  expect(cutRun).toMatchObject({ status: 'limit_reached', limit: { kind: 'steps', value: 10 } });
  expect(stage.upstream.calls()).toHaveLength(10);
  const cut = (await stepsOf(cutRun)).filter(({ kind }) => kind === 'compaction');
  expect(cut.length).toBeGreaterThan(1);
  expect(cut[0]).toMatchObject({ name: 'truncate', cost_usd: 0, result_preview: '' });
  expect(messagesIn(stage.upstream.calls().at(-1)!)[2]).toEqual({
    role: 'user',
    content: 'Earlier messages of this task are left out.',
  });
});

test('a version without a rule keeps its conversation whole', async () => {
  talk(TURNS);
  const whole = await stage.runToEnd(setup(undefined, 0));
  expect(whole.status).toBe('completed');
  expect((await stepsOf(whole)).filter(({ kind }) => kind === 'compaction')).toEqual([]);
  expect(messagesIn(stage.upstream.calls().at(-1)!)).toHaveLength(2 * TURNS + 2);
});

test('a version of many steps is summarized near the model’s context without a setting of its own', async () => {
  talk(16);
  const near = await stage.runToEnd(setup(undefined));
  expect(near.status).toBe('completed');
  const [summary, ...others] = (await stepsOf(near)).filter(({ kind }) => kind === 'compaction');
  expect([summary!.name, others.length]).toEqual(['summarize', 0]);
  // Half of the context of 8,192 tokens, because an answer may have the other half.
  expect(Number(summary!.input_tokens)).toBeGreaterThan(3_000);
});

test('a run that cannot pay for a summary pauses, and makes it when its limit is raised', async () => {
  const events = await stage.eventsOf(run.id);
  const begun = events.findIndex(({ type, data }) => type === 'run.step.started' && data.kind === 'compaction');
  const before = events.slice(0, begun).findLast(({ type }) => type === 'run.usage.updated')!;
  const maxCostUsd = Number(before.data.total_usd) + 0.0001;
  talk(TURNS);
  const paused = await stage.makeRun({ ...setup(summarize), maxCostUsd, onLimit: 'pause' });
  await stage.workflows.start(paused);
  await stage.untilEvent(paused.id, 'run.requires_action');
  const { rows } = await stage.db.pool.query(
    `select name, result ->> 'outcome' as outcome from run_steps where run_id = $1 order by step desc limit 1`,
    [paused.id],
  );
  expect(rows).toEqual([{ name: 'summarize', outcome: 'limit' }]);
  await answer(stage, paused, { type: 'raise_limit', max_cost_usd: 1 });
  const ended = await stage.endOf(paused.id);
  expect([ended.status, ended.output.length]).toEqual(['completed', TURNS + 1]);
  await expectSoundLedger(stage.db);
});
