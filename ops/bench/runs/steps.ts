import { setTimeout as sleep } from 'node:timers/promises';
import { Connection } from '../load.ts';
import { treeMicrosOf } from '../machine/processor.ts';
import { RUN_PARTS, runRequest, type RunPart, type RunStage } from './stage.ts';

/** Processor time of each part for one run, in seconds. */
export type RunCost = Record<RunPart, number>;

export interface StepsFigures {
  /** Round by round. */
  costs: RunCost[];
  /** Of one run. */
  history: { events: number; activities: number; workflowTasks: number };
  /** From the end of each tool's step to the start of the model's next one. */
  gapsMs: number[];
}

const CALLS = [
  { name: 'write_file', arguments: '{"path":"notes.md","content":"Two and two is four."}' },
  { name: 'read_file', arguments: '{"path":"notes.md"}' },
  { name: 'list_files', arguments: '{}' },
  { name: 'read_file', arguments: '{"path":"notes.md"}' },
];
const TURNS = [...CALLS.map((call) => ({ toolCalls: [call] })), { text: 'The answer is four.', chunks: 1 }];

/** A script of the upstream: tools one after the other, each called by a step of the model, and an answer. */
export const STEPS_INPUT = JSON.stringify({ scripted: { turns: TURNS } });
/** The steps of such a run: of the model, and of tools. */
export const STEPS = TURNS.length + CALLS.length;

const IN_FLIGHT = 10;
const POLL_MS = 20;

/** What runs with several steps cost, ordered from the API with some in flight. */
export async function measureSteps(stage: RunStage, count: number, rounds: number): Promise<StepsFigures> {
  const costs: RunCost[] = [];
  let ids: string[] = [];
  for (let round = 0; round <= rounds; round += 1) {
    const before = timesOf(stage);
    ids = await orderRuns(stage, count);
    const after = timesOf(stage);
    const spent = RUN_PARTS.map((part) => [part, (after[part] - before[part]) / 1e6 / count]);
    // The first round is a warm-up.
    if (round > 0) costs.push(Object.fromEntries(spent) as RunCost);
  }
  return { costs, history: await historyOf(stage, ids.at(-1)!), gapsMs: await gapsOf(stage, ids) };
}

const timesOf = ({ pids }: RunStage): RunCost =>
  Object.fromEntries(RUN_PARTS.map((part) => [part, treeMicrosOf(pids[part])])) as RunCost;

/** Orders runs, each when another has ended; resolves with their ids when all have. */
async function orderRuns({ installation: { db, secret }, api }: RunStage, count: number): Promise<string[]> {
  const { rows: seen } = await db.pool.query(`select coalesce(max(id), '') as last from runs`);
  const isAfter = 'from runs where id > $1';
  const connection = await Connection.open(api.url);
  const request = runRequest(secret, STEPS_INPUT);
  let ordered = 0;
  for (;;) {
    const { rows } = await db.pool.query(`select count(*) filter (where settled_at is null)::int as open ${isAfter}`, [
      seen[0].last,
    ]);
    if (ordered === count && rows[0].open === 0) break;
    const room = Math.min(IN_FLIGHT - rows[0].open, count - ordered);
    for (let at = 0; at < room; at += 1) {
      const answer = await connection.exchange(request);
      if (!answer.isGood) throw new Error(`a run was answered with ${answer.head}`);
      ordered += 1;
    }
    await sleep(POLL_MS);
  }
  connection.close();
  const { rows } = await db.pool.query(`select id, status ${isAfter} order by id`, [seen[0].last]);
  const failed = rows.filter(({ status }) => status !== 'completed');
  if (failed.length > 0) throw new Error(`${failed.length} of ${count} runs did not complete`);
  return rows.map(({ id }) => id as string);
}

async function historyOf({ client }: RunStage, runId: string): Promise<StepsFigures['history']> {
  const { events } = await client.workflow.getHandle(runId).fetchHistory();
  const having = (member: 'activityTaskScheduledEventAttributes' | 'workflowTaskCompletedEventAttributes') =>
    events!.filter((event) => event[member]).length;
  return {
    events: events!.length,
    activities: having('activityTaskScheduledEventAttributes'),
    workflowTasks: having('workflowTaskCompletedEventAttributes'),
  };
}

async function gapsOf({ installation: { db } }: RunStage, ids: string[]): Promise<number[]> {
  const { rows } = await db.pool.query(GAPS, [ids]);
  return rows.map(({ gap }) => Number(gap));
}

const GAPS = `
select extract(epoch from model.started_at - tool.ended_at) * 1000 as gap
from run_steps tool join run_steps model on model.run_id = tool.run_id and model.step = tool.step + 1
where tool.run_id = any ($1) and tool.kind <> 'model' and model.kind = 'model'`;
