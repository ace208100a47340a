import { afterAll, expect, test } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import type { RunRow } from '../../../db/runs/runRow.ts';
import { runStartOf, RUN_WORKFLOW } from '../../../contracts/run.ts';
import { ownerUrlOf } from '../../support/database.ts';
import { expectSoundLedger } from '../../support/ledger.ts';
import { flowSeed, repetitions, seededRandom } from '../../support/random.ts';
import { startProxy } from '../../support/network.ts';
import { setRunStage, type RunSetup } from '../../support/runStage.ts';
import { startWorkerProcess, type RunningWorker } from '../../support/startWorker.ts';
import { until } from '../../support/until.ts';
import { call } from '../../workflows/scenarios.ts';

// The number of concurrent workers, each of which will be killed.
const beside = 3;
const kills = beside * repetitions(4);
const random = seededRandom(flowSeed);
const workers: RunningWorker[] = [];

const stage = await setRunStage();

afterAll(async () => {
  for (const worker of workers) await worker.stop();
  await stage.close();
});

async function startWorker(temporalAddress = stage.temporal.address): Promise<RunningWorker> {
  const addresses = { databaseUrl: stage.databaseUrl, upstreamUrl: stage.upstream.url };
  const worker = await startWorkerProcess({ ...addresses, temporalAddress });
  workers.push(worker);
  return worker;
}

async function startRun(wish: RunSetup): Promise<RunRow> {
  const run = await stage.makeRun(wish);
  await stage.workflows.start(run);
  return run;
}

/** Starts the workflow, but cannot record that in the row, which is locked. */
const startLocked = (run: RunRow) =>
  stage.client.workflow.start(RUN_WORKFLOW, runStartOf(run, { keyPrefix: '', delayMs: 0 }));

/** Keeps rows locked, so that the next statement on them waits. */
async function lock(text: string, values: string[]) {
  const client = new Client({ connectionString: ownerUrlOf(stage.databaseUrl) });
  client.on('error', () => {});
  await client.connect();
  await client.query('begin');
  await client.query(`${text} for update`, values);
  const { rows } = await client.query('select pg_backend_pid() as pid');
  const isWaitedFor = async () => {
    const waiting = await stage.db.pool.query(
      'select from pg_stat_activity where $1 = any(pg_blocking_pids(pid)) and datname = current_database()',
      [rows[0].pid],
    );
    return waiting.rowCount! > 0;
  };
  return { waitedFor: () => until(isWaitedFor), release: () => client.end() };
}

async function expectAllEnded(runs: RunRow[]): Promise<void> {
  await Promise.all(runs.map(({ id }) => stage.endOf(id)));
  const statuses = await Promise.all(runs.map(async ({ id }) => (await stage.readRun(id)).status));
  expect(statuses).toEqual(runs.map(() => 'completed'));
  await expectSoundLedger(stage.db);
}

const written = {
  language: 'javascript',
  code: `const end = Date.now() + 1500; while (Date.now() < end); writeFile('a.txt', 'once');`,
};
const writes: RunSetup = {
  tools: ['run_code'],
  script: { turns: [{ toolCalls: [call('run_code', written)] }, { text: 'Written.' }] },
};

async function expectWrittenOnce(run: RunRow): Promise<void> {
  const { rows } = await stage.db.pool.query(
    `select (select count(*)::int from session_entries e where e.session_id = r.session_id) as entries,
       (select count(*)::int from save_operations s where s.run_id = r.id and s.state = 'saved') as saves, r.output, r.meters
     from runs r where r.id = $1`,
    [run.id],
  );
  const files = (rows[0].output as { type: string }[]).filter(({ type }) => type === 'output_file');
  expect(rows[0]).toMatchObject({ entries: 1, saves: 1, meters: { tool_calls: 1000 } });
  expect(files.length).toBe(1);
}

const modelCallsOf = (text: string) =>
  stage.upstream.calls().filter(({ body }) => JSON.stringify(body).includes(text)).length;

test('runs whose worker is killed before or during a step are continued by the next worker, once', async () => {
  const worker = await startWorker();
  const beginning = await stage.makeRun({});
  const begin = await lock('select from runs where id = $1', [beginning.id]);
  await startLocked(beginning);
  const unanswered = await startRun({ script: { text: 'Late.', headDelayMs: 3_000 } });
  const speaking = await startRun({ script: { text: 'word '.repeat(200), delayMs: 20 } });
  const tooling = await startRun(writes);
  const ending = await stage.makeRun({});
  const end = await lock('select from sessions where id = $1', [ending.session_id]);
  await stage.workflows.start(ending);
  await Promise.all([
    begin.waitedFor(),
    end.waitedFor(),
    stage.untilEvent(unanswered.id, 'run.step.started'),
    stage.untilEvent(speaking.id, 'run.output_text.delta'),
    stage.untilEvent(tooling.id, 'run.step.started', 2),
  ]);

  await worker.kill();
  await Promise.all([begin.release(), end.release(), startWorker()]);

  await expectAllEnded([beginning, unanswered, speaking, tooling, ending]);
  await expectWrittenOnce(tooling);
}, 600_000);

test('a step that a killed worker had done but not reported is not repeated', async () => {
  const proxy = await startProxy(stage.temporal.address);
  for (const worker of workers.splice(0)) await worker.stop();
  const worker = await startWorker(proxy.address);
  const beginning = await stage.makeRun({});
  const begin = await lock('select from runs where id = $1', [beginning.id]);
  await startLocked(beginning);
  const speaking = await startRun({ script: { text: 'Said but once.', headDelayMs: 1_500 } });
  const tooling = await startRun(writes);
  const ending = await stage.makeRun({});
  const end = await lock('select from sessions where id = $1', [ending.session_id]);
  await stage.workflows.start(ending);
  await Promise.all([
    begin.waitedFor(),
    end.waitedFor(),
    stage.untilEvent(speaking.id, 'run.step.started'),
    stage.untilEvent(tooling.id, 'run.step.started', 2),
  ]);

  proxy.pause();
  await Promise.all([begin.release(), end.release()]);
  await Promise.all([
    stage.untilEvent(beginning.id, 'run.in_progress'),
    stage.untilEvent(speaking.id, 'run.step.completed'),
    stage.untilEvent(tooling.id, 'run.step.completed', 2),
    stage.untilEvent(ending.id, 'run.completed'),
  ]);
  await worker.kill();
  await proxy.stop();
  await startWorker();

  await expectAllEnded([beginning, speaking, tooling, ending]);
  await expectWrittenOnce(tooling);
  expect(modelCallsOf('Said but once.')).toBe(1);
}, 600_000);

test('a worker that shuts down hands its steps over, and the next one finishes them', async () => {
  const [worker] = workers;
  const run = await startRun({ script: { text: 'word '.repeat(60), delayMs: 20 } });
  await stage.untilEvent(run.id, 'run.output_text.delta');
  await Promise.all([worker!.stop(), startWorker()]);
  workers.shift();
  await expectAllEnded([run]);
}, 600_000);

const brief: RunSetup[] = [
  { script: { text: 'Brief.', headDelayMs: 300 } },
  { script: { text: 'word '.repeat(15), delayMs: 20 } },
  {
    tools: ['write_file'],
    script: { turns: [{ toolCalls: [call('write_file', { path: 'a.txt', content: 'a' })] }, { text: 'Done.' }] },
  },
];

/** Starts a worker, orders runs of each kind, and kills it while they run: repeatedly. */
async function killRepeatedly(times: number, runs: RunRow[]): Promise<void> {
  for (let kill = 0; kill < times; kill += 1) {
    const worker = await startWorker();
    runs.push(...(await Promise.all(brief.map(startRun))));
    await sleep(random() * 1_000);
    await worker.kill();
  }
}

test(`every run ends once, although workers are killed at random moments (seed ${flowSeed})`, async () => {
  for (const worker of workers.splice(0)) await worker.stop();
  const runs: RunRow[] = [];
  await Promise.all(Array.from({ length: beside }, () => killRepeatedly(kills / beside, runs)));
  await startWorker();
  await expectAllEnded(runs);
  const writing = runs.filter((_, nth) => nth % brief.length === 2);
  const { rows } = await stage.db.pool.query(WRITTEN, [writing.map(({ id }) => id)]);
  expect(rows).toEqual(writing.map(() => ({ entries: 1, tool_calls: 1_000 })));
  expect(runs).toHaveLength(kills * brief.length);
}, 900_000);

const WRITTEN = `
select (select count(*)::int from session_entries e where e.session_id = r.session_id) as entries, (r.meters ->> 'tool_calls')::int as tool_calls
from runs r where r.id = any ($1)`;
