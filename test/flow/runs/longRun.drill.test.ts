import { afterEach, expect, test } from '@jest/globals';
import { Client, Connection } from '@temporalio/client';
import { costOf } from '../../../db/runs/cost/runCost.ts';
import type { RunRow } from '../../../db/runs/runRow.ts';
import type { Json } from '../../../providers/provider.ts';
import { publishAgent } from '../../support/agent.ts';
import { flowSeed, seededRandom } from '../../support/random.ts';
import { until } from '../../support/until.ts';
import { historiesOf } from '../../workflows/histories.ts';
import { setKillStage, type KillStage } from '../stages/killStage.ts';
import { createCaller } from '../stages/runCaller.ts';

interface Case {
  turns: number;
  kills: number;
  /** Variables of the workers. */
  env: Record<string, string>;
  historiesMin: number;
}

// Steps that are activities of their own make a long history; joined ones are passed over, many at once, after each kill.
const cases: (Case & { which: string })[] = [
  { which: 'apart', turns: 500, kills: 10, env: { TOOL_STEPS_AT_ONCE: '1' }, historiesMin: 4 },
  { which: 'joined', turns: 300, kills: 6, env: {}, historiesMin: 1 },
];
const historyEventsMax = 2_000;
const patient = { timeoutMs: 600_000, pollMs: 50 };
const random = seededRandom(flowSeed);
let stage: KillStage;
afterEach(() => stage?.close());

const summarized = /^Earlier messages of this task are replaced by this summary:\n\n\[(\d+) answers\]/;

/** The number of the model's answers before a call, with those in the summary. */
function answersBefore({ messages }: Json): number {
  const all = messages as { role: string; content: string | null }[];
  const replaced = all.map(({ content }) => Number(summarized.exec(content ?? '')?.[1] ?? 0));
  return all.filter(({ role }) => role === 'assistant').length + Math.max(...replaced);
}

/** Each turn writes a file of its own; the last one answers. */
function scriptTurns(turns: number): void {
  stage.upstream.script((body) => {
    const turn = answersBefore(body) + 1;
    if (turn >= turns) return { text: 'All is written.' };
    const content = 'word '.repeat(40);
    const write = { name: 'write_file', arguments: JSON.stringify({ path: `notes/${turn}.txt`, content }) };
    return { text: `File ${turn}. `, toolCalls: [write] };
  });
}

const stepsDone = async (runId: string): Promise<number> => {
  const { rows } = await stage.db.pool.query(DONE, [runId]);
  return rows[0].steps as number;
};

test.each(cases)(
  'a run of $turns turns with its steps $which does each once, whoever is killed',
  async (one) => {
    const { turns, kills } = one;
    stage = await setKillStage({ env: one.env });
    scriptTurns(turns);
    const settings = { max_steps: 1_000, compaction: { mode: 'summarize' as const, compact_threshold: 3_000 } };
    const rates = [
      { meter: 'model_input_tokens' as const, price_usd: 0.000000301 },
      { meter: 'model_output_tokens' as const, price_usd: 0.000002507 },
      { meter: 'tool_calls' as const, price_usd: 0.000100003 },
    ];
    const pricing = { minimum_cost_usd: 0, maximum_cost_usd: 10, rates };
    const { workspaceId } = stage.account;
    const agent = await publishAgent(stage.db, { tools: ['write_file'], pricing, ...settings }, { workspaceId });
    const caller = createCaller({ ...stage, agent });
    const order = { agent, input: 'Write all files.', max_cost_usd: 10, timeout_seconds: 86_400 };
    const { run } = await caller.postPatiently('/v1/runs', order, { 'idempotency-key': `long-${flowSeed}-run` });
    const id = run!.id;
    for (let kill = 0; kill < kills; kill += 1) {
      const victim = stage.victims[kill % 2 === 0 ? 'worker' : 'API'];
      const due = Math.round(((kill + random()) / kills) * turns * 2);
      await until(async () => (await stepsDone(id)) >= due, patient);
      await victim.kill();
      await victim.start();
    }
    const isEnded = async () =>
      (await stage.db.pool.query('select from runs where id = $1 and settled_at is not null', [id])).rowCount === 1;
    await until(isEnded, patient);

    const ended = (await stage.db.pool.query('select * from runs where id = $1', [id])).rows[0] as RunRow;
    expect(ended).toMatchObject({ status: 'completed' });
    await expectStepsOnce(id, turns);
    await expectBill(ended, one);
    await expectShortHistories(id, one);
    expect(stage.crashes()).toEqual([]);
    await stage.expectQuietSoon();
  },
  1_800_000,
);

/** Every turn is one step of the model and one of a tool, whose file is saved once; steps are numbered without a gap. */
async function expectStepsOnce(runId: string, turns: number): Promise<void> {
  const { rows } = await stage.db.pool.query(STEPS, [runId]);
  const [{ summaries, ...counts }] = rows as [{ summaries: number }];
  expect(counts).toEqual({
    models: turns,
    tools: turns - 1,
    files: turns - 1,
    saves: turns - 1,
    open: 0,
    last: 2 * turns - 1 + summaries,
  });
  expect(summaries).toBeGreaterThan(5);
}

/** What each step was billed is what one call of the upstream counted, and the run costs the sum, to the nano-USD. */
async function expectBill(run: RunRow, { turns, kills }: Case): Promise<void> {
  const { rows } = await stage.db.pool.query(METERED, [run.id]);
  const billed = (rows as { input: number; output: number }[]).map(({ input, output }) => `${input} ${output}`);
  const counted = stage.upstream.calls().map(({ promptTokens, outputTokens }) => `${promptTokens} ${outputTokens}`);
  for (const pair of billed) {
    const at = counted.indexOf(pair);
    expect([pair, at >= 0]).toEqual([pair, true]);
    counted.splice(at, 1);
  }
  // Only calls that a kill has cut are left.
  expect(counted.length).toBeLessThanOrEqual(kills);
  const sums = { input: 0, output: 0 };
  for (const { input, output } of rows as { input: number; output: number }[]) {
    sums.input += input;
    sums.output += output;
  }
  const meters = {
    model_input_tokens: sums.input * 1_000,
    model_output_tokens: sums.output * 1_000,
    tool_calls: (turns - 1) * 1_000,
  };
  expect(Object.fromEntries(Object.entries(run.meters).map(([name, value]) => [name, Number(value)]))).toEqual(meters);
  const ownNanos = BigInt(sums.input) * 301n + BigInt(sums.output) * 2_507n + BigInt(turns - 1) * 100_003n;
  expect([run.subtotal_nanos, run.total_nanos]).toEqual([`${ownNanos}`, `${costOf({ ...run, meters }).totalNanos}`]);
}

async function expectShortHistories(runId: string, { historiesMin }: Case): Promise<void> {
  const connection = await Connection.connect({ address: stage.temporalAddress });
  try {
    const histories = await historiesOf(new Client({ connection }), runId);
    const lengths = histories.map(({ events }) => events!.length);
    console.info(JSON.stringify({ seed: flowSeed, lengths }));
    expect(lengths.length).toBeGreaterThanOrEqual(historiesMin);
    expect(Math.max(...lengths)).toBeLessThan(historyEventsMax);
  } finally {
    await connection.close();
  }
}

const DONE = `select count(*)::int as steps from run_steps where run_id = $1 and state = 'completed'`;

const STEPS = `
select count(*) filter (where kind = 'model')::int as models, count(*) filter (where kind = 'file')::int as tools,
  count(*) filter (where kind = 'compaction')::int as summaries, count(*) filter (where state <> 'completed')::int as open,
  max(step) as last,
  (select count(*)::int from session_entries e join runs r using (session_id) where r.id = $1 and e.name like '%.txt') as files,
  (select count(*)::int from save_operations o where o.run_id = $1 and o.state = 'saved') as saves
from run_steps where run_id = $1`;

const METERED = `
select (max(quantity_thousandths) filter (where meter = 'model_input_tokens') / 1000)::int as input,
  (max(quantity_thousandths) filter (where meter = 'model_output_tokens') / 1000)::int as output
from run_meters join run_steps using (run_id, step) where run_id = $1 and kind in ('model', 'compaction') group by step`;
