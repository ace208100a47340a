import { expect, test } from '@jest/globals';
import { NO_PROGRESS, withEvent, type RunEvent } from '../../console/src/runs/runEvents.ts';
import { tickText, ticksOf, waterfallOf } from '../../console/src/runs/waterfall.ts';

const START_MS = Date.parse('2026-11-26T08:00:00.000Z');
const iso = (ms: number) => new Date(START_MS + ms).toISOString();

let sequence = 0;
const event = (type: string, ms: number, data: object): RunEvent => ({
  id: `evt_${(sequence += 1)}`,
  type: `run.step.${type}`,
  created_at: iso(ms),
  sequence,
  data: { step_id: 'step_1', kind: 'model', name: 'text', attempt: 1, ...data },
});

const stepsOf = (...events: RunEvent[]) => events.reduce(withEvent, NO_PROGRESS).steps;

test('a step that was retried has a bar for each attempt, and the wait between them', () => {
  const steps = stepsOf(
    event('started', 0, {}),
    event('retrying', 1_000, { code: 'provider_failed', retry_at: iso(2_000) }),
    event('started', 2_000, { attempt: 2 }),
    event('completed', 4_000, { attempt: 2, cost_usd: 0.5, input_tokens: 3, output_tokens: 4 }),
    event('started', 4_000, { step_id: 'step_2', kind: 'file', name: 'write_file' }),
    event('failed', 5_000, { step_id: 'step_2', kind: 'file', name: 'write_file', error_code: 'no_file' }),
  );
  expect(steps[0]).toMatchObject({ state: 'done', attempt: 2, costUsd: 0.5, inputTokens: 3, outputTokens: 4 });
  const { rows, totalMs } = waterfallOf({ started_at: iso(0), completed_at: iso(5_000) }, steps, 0);
  expect(totalMs).toBe(5_000);
  expect(rows.map(({ depth, durationMs }) => [depth, durationMs])).toEqual([
    [0, 4_000],
    [1, 1_000],
  ]);
  expect(rows[0]!.pieces).toEqual([
    { kind: 'failed', from: 0, to: 0.2 },
    { kind: 'waiting', from: 0.2, to: 0.4 },
    { kind: 'done', from: 0.4, to: 0.8 },
  ]);
  expect(rows[1]!.pieces).toEqual([{ kind: 'failed', from: 0.8, to: 1 }]);
});

test('an open step ends at the present time, and a reused one has no bar', () => {
  const open = { started_at: iso(0), completed_at: null };
  const steps = stepsOf(event('reused', 0, {}), event('started', 1_000, { step_id: 'step_2' }));
  const { rows } = waterfallOf(open, steps, START_MS + 2_000);
  expect(rows.map(({ pieces }) => pieces)).toEqual([[], [{ kind: 'running', from: 0.5, to: 1 }]]);
  expect(waterfallOf({ started_at: null, completed_at: null }, [], 0)).toMatchObject({ rows: [], ticks: [] });
});

test.each([
  [90, ['0', '20 ms', '40 ms', '60 ms', '80 ms']],
  [36_000, ['0', '10 s', '20 s', '30 s']],
  [240_000, ['0', '1 min', '2 min', '3 min', '4 min']],
])('the axis of %d ms has round times', (totalMs, texts) => {
  expect(ticksOf(totalMs).map(({ ms }) => tickText(ms))).toEqual(texts);
});

test("the cost so far is the run's own, beside what the agents have cost that it called", () => {
  const told = (type: string, data: object): RunEvent => ({ ...event('started', 0, {}), type, data: { ...data } });
  const { totalUsd, childrenUsd } = [
    told('run.usage.updated', { total_usd: 0.5, children_usd: 0.25 }),
    told('run.budget.warning', { total_usd: 0.75 }),
  ].reduce(withEvent, NO_PROGRESS);
  expect({ totalUsd, childrenUsd }).toEqual({ totalUsd: 0.5, childrenUsd: 0.25 });
});
