import { afterAll, expect, test } from '@jest/globals';
import { cp, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { RunRow } from '../../db/runs/runRow.ts';
import { runAdmin } from '../ops/admin/runAdmin.ts';
import { makeFolder } from '../support/folder.ts';
import { mayImport } from '../support/layout.ts';
import { expectSoundLedger } from '../support/ledger.ts';
import { setRunStage } from '../support/runStage.ts';
import { answer, ask } from './scenarios.ts';
import { startWorkerProcess, type RunningWorker } from '../support/startWorker.ts';
import { until } from '../support/until.ts';

const RUNS_EACH = 10;
// After the answer each run goes on in a new history, which stays with the version of the first.
const HISTORY_EVENTS = 30;
const root = join(import.meta.dirname, '..', '..');
const workers: RunningWorker[] = [];

const [stage, folder] = await Promise.all([setRunStage({ historyEvents: HISTORY_EVENTS }), makeFolder()]);
await makeNextRelease(folder.path);

afterAll(async () => {
  await Promise.all(workers.map((worker) => worker.stop()));
  await stage.close();
  await folder.remove();
});

/** A copy of the product whose run workflow has another order of calls, which no history of this release could replay. */
async function makeNextRelease(path: string): Promise<void> {
  const folders = Object.keys(mayImport).filter((name) => name !== 'console' && !name.includes('/'));
  await Promise.all(folders.map((name) => cp(join(root, name), join(path, name), { recursive: true })));
  for (const name of ['package.json', 'catalog.json']) await cp(join(root, name), join(path, name));
  await symlink(join(root, 'node_modules'), join(path, 'node_modules'));
  const workflow = join(path, 'workflows', 'run.ts');
  const text = await readFile(workflow, 'utf8');
  const first = 'setHandler(runState, () => state);';
  expect(text).toContain(first);
  await writeFile(workflow, text.replace(first, `${first}\n  await sleep(1);`));
}

async function startWorker(buildId: string, cwd = root): Promise<RunningWorker> {
  const worker = await startWorkerProcess({
    databaseUrl: stage.databaseUrl,
    upstreamUrl: stage.upstream.url,
    temporalAddress: stage.temporal.address,
    cwd,
    // Joins no tools to steps of a model, so that histories become long.
    env: { WORKER_BUILD_ID: buildId, SANDBOX_TIER: 'quickjs', TOOL_STEPS_AT_ONCE: '1' },
  });
  workers.push(worker);
  return worker;
}

const admin = async (...args: string[]) => {
  const env = { DATABASE_URL: stage.databaseUrl, TEMPORAL_ADDRESS: stage.temporal.address };
  const { exitCode, stdout, stderr } = await runAdmin([...args, '--json'], env);
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  return JSON.parse(stdout) as unknown;
};

/** What an upgrade hears that keeps the workers of these versions alone. */
const guard = (...kept: string[]) =>
  runAdmin(['workers', 'guard', ...kept], {
    DATABASE_URL: stage.databaseUrl,
    TEMPORAL_ADDRESS: stage.temporal.address,
  });

/** Promotes a version once Temporal has seen its worker. */
async function promote(buildId: string): Promise<void> {
  const isListed = async () =>
    ((await admin('workers', 'list')) as { build_id: string }[]).some((version) => version.build_id === buildId);
  await until(() => isListed().catch(() => false), { timeoutMs: 60_000 });
  await admin('workers', 'promote', buildId);
}

/** Runs that wait for their caller's answer, so that they are open while versions change. */
async function startWaitingRuns(): Promise<RunRow[]> {
  const listing = Array.from({ length: 6 }, () => ({ toolCalls: [{ name: 'list_files', arguments: '{}' }] }));
  const script = { turns: [{ toolCalls: [ask('Go on?')] }, ...listing, { text: 'Done.' }] };
  const runs: RunRow[] = [];
  for (let at = 0; at < RUNS_EACH; at += 1) {
    const run = await stage.makeRun({ tools: ['ask_user', 'list_files'], script });
    await stage.workflows.start(run);
    runs.push(run);
  }
  await Promise.all(runs.map(({ id }) => stage.untilEvent(id, 'run.requires_action')));
  return runs;
}

/** The one-millisecond timer that starts the next release's histories. */
const isMark = ({ timerStartedEventAttributes: timer }: { timerStartedEventAttributes?: Timer | null }): boolean =>
  Number(timer?.startToFireTimeout?.seconds) === 0 && timer?.startToFireTimeout?.nanos === 1_000_000;

interface Timer {
  startToFireTimeout?: { seconds?: unknown; nanos?: number | null } | null;
}

/** The version that a run is bound to, whether its history begins like the next release's, and its failed workflow tasks. */
async function trailOf({ id }: RunRow) {
  const handle = stage.client.workflow.getHandle(id);
  const { raw } = await handle.describe();
  const { events } = await handle.fetchHistory();
  expect(events?.[0]?.workflowExecutionStartedEventAttributes?.continuedExecutionRunId).toMatch(/./);
  const failed = events?.filter((event) => event.workflowTaskFailedEventAttributes) ?? [];
  return {
    buildId: raw.workflowExecutionInfo?.versioningInfo?.deploymentVersion?.buildId,
    isOfNextRelease: events?.some(isMark) ?? false,
    failures: failed.map((event) => event.workflowTaskFailedEventAttributes!.failure?.message),
  };
}

test('thirty open runs survive a deploy of other code and its rollback, each in the version that began it', async () => {
  expect(await guard('old')).toMatchObject({ exitCode: 0 });
  await startWorker('old');
  await promote('old');
  const before = await startWaitingRuns();
  await startWorker('next', folder.path);
  // An upgrade that forgets the version that begins new work is refused, also before any other was promoted.
  expect(await guard('next')).toMatchObject({ exitCode: 1, stdout: expect.stringContaining('old begins new work') });
  await promote('next');
  await until(async () => (await guard('next')).stdout.startsWith('old has open runs'), { timeoutMs: 60_000 });
  expect(await guard('next', 'old')).toMatchObject({ exitCode: 0, stdout: 'No other version is needed.\n' });
  const between = await startWaitingRuns();
  await promote('old');
  const after = await startWaitingRuns();

  const runs = [...before, ...between, ...after];
  await Promise.all(runs.map((run) => answer(stage, run, { type: 'text', text: 'Yes.' })));
  const ended = await Promise.all(runs.map(({ id }) => stage.endOf(id)));
  expect(new Set(ended.map(({ status }) => status))).toEqual(new Set(['completed']));

  const asOld = { buildId: 'old', isOfNextRelease: false, failures: [] };
  const asNext = { buildId: 'next', isOfNextRelease: true, failures: [] };
  expect(await Promise.all([...before, ...after].map(trailOf))).toEqual([...before, ...after].map(() => asOld));
  expect(await Promise.all(between.map(trailOf))).toEqual(between.map(() => asNext));
  await expectSoundLedger(stage.db);
}, 600_000);
