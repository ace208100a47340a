import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { fileURLToPath } from 'node:url';
import { Client, Connection, type WorkflowHandleWithFirstExecutionRunId } from '@temporalio/client';
import { bundleWorkflowCode, DefaultLogger, NativeConnection, Worker } from '@temporalio/worker';
import { pino } from 'pino';
import type { Activities } from '../../activities/index.ts';
import { ensureSearchAttributes } from '../../worker/searchAttributes.ts';
import { installRuntime } from '../../worker/runtime.ts';
import {
  decideReviewUpdate,
  reviewWorkflow,
  runSearchAttributes,
  type ReviewDecision,
  type ReviewInput,
} from '../../workflows/contract.ts';
import type { review } from '../../workflows/review.ts';
import { reviewWaits } from '../../workflows/review/waits.ts';
import { startTestTemporal, type TestTemporal } from '../support/temporal.ts';
import { until } from '../support/until.ts';

const logger = pino({ level: 'silent' });
installRuntime(logger);

const QUEUE = 'reviews-of-a-test';

let temporal: TestTemporal;
let connection: Connection;
let native: NativeConnection;
let worker: Worker;
let running: Promise<void>;
let client: Client;

type Check = Awaited<ReturnType<Activities['checkSubmission']>>;
/** What the activities say and were told. The deployment moves once, as in the database. */
let world: { check: () => Promise<Check>; status: string; moves: string[]; reminders: string[]; dropped: string[] };

const activities = {
  checkSubmission: () => world.check(),
  createTrial: async ({ kind, index }: { kind: string; index: number }) => `run_${kind}${index}`,
  dropTrial: async ({ runId }: { runId: string }) => void world.dropped.push(runId),
  moveReview: async ({ move }: { move: string }) => {
    if (world.status !== 'in_review') return { outcome: 'wrong_state', status: world.status };
    world.moves.push(move);
    world.status = move === 'approve' ? 'active' : move === 'withdraw' ? 'withdrawn' : 'changes_requested';
    return { outcome: 'moved', status: world.status };
  },
  remindReviewers: async ({ level }: { level: string }) => void world.reminders.push(level),
};

beforeAll(async () => {
  temporal = await startTestTemporal();
  connection = await Connection.connect({ address: temporal.address });
  native = await NativeConnection.connect({ address: temporal.address });
  await ensureSearchAttributes(connection, temporal.namespace);
  client = new Client({ connection });
  const workflowBundle = await bundleWorkflowCode({
    workflowsPath: pathOf('workflows/index.ts'),
    webpackConfigHook,
    logger: new DefaultLogger('WARN'),
  });
  worker = await Worker.create({ connection: native, taskQueue: QUEUE, workflowBundle, activities });
  running = worker.run();
}, 600_000);
afterAll(async () => {
  worker.shutdown();
  await running;
  await Promise.all([connection.close(), native.close()]);
  await temporal.stop();
});
beforeEach(() => {
  const check = async () => ({ blocking: 0, examples: 0, probes: 0 });
  world = { check, status: 'in_review', moves: [], reminders: [], dropped: [] };
});

// Three days pass in three seconds.
type Webpack = Parameters<NonNullable<Parameters<typeof bundleWorkflowCode>[0]['webpackConfigHook']>>[0];
function webpackConfigHook(config: Webpack): Webpack {
  Object.assign(config.resolve!.alias!, {
    [pathOf('workflows/review/waits.ts')]: pathOf('test/workflows/shortWaits.ts'),
  });
  return config;
}

function pathOf(file: string): string {
  return fileURLToPath(new URL(`../../${file}`, import.meta.url));
}

type Handle = WorkflowHandleWithFirstExecutionRunId<typeof review>;

let count = 0;
function start(): Promise<Handle> {
  count += 1;
  const input: ReviewInput = { deploymentId: `dep_${count}` };
  return client.workflow.start<typeof review>(reviewWorkflow, {
    workflowId: `review/${input.deploymentId}`,
    taskQueue: QUEUE,
    args: [input],
  });
}

const decide = (handle: Handle, move: ReviewDecision['move']) =>
  handle.executeUpdate(decideReviewUpdate, { args: [{ move, feedback: [], by: { publisher: 'ws_1' } }] });

/** What the Temporal UI shows of a review that runs. */
async function detailsOf(handle: Handle): Promise<string> {
  return (await handle.query<{ currentDetails: string }>('__temporal_workflow_metadata')).currentDetails;
}

test('operators are reminded after a day, and told with more weight after three', () => {
  expect(reviewWaits).toEqual({ reminderMs: 24 * 3_600_000, escalationMs: 72 * 3_600_000 });
});

test('a review that nobody decides reminds once, escalates once, says so, and still can be decided', async () => {
  const handle = await start();
  await until(() => world.reminders.length === 2);
  expect(world.reminders).toEqual(['reminder', 'escalation']);
  await until(async () => (await detailsOf(handle)).startsWith('ESCALATED'));
  expect(await decide(handle, 'approve')).toEqual({ outcome: 'moved', status: 'active' });
  expect(await handle.result()).toEqual({ status: 'active', findings: 0, costUsd: 0 });
  expect([world.moves, world.reminders]).toEqual([['approve'], ['reminder', 'escalation']]);
  expect((await handle.describe()).searchAttributes).toMatchObject({ [runSearchAttributes.status]: ['active'] });
});

test.each(['approve', 'request_changes', 'reject', 'withdraw'] as const)(
  'a review that is decided in time (%s) reminds nobody',
  async (move) => {
    const handle = await start();
    await decide(handle, move);
    await handle.result();
    expect([world.moves, world.reminders]).toEqual([[move], []]);
  },
);

test('a review that is reminded of is not escalated when it is decided then', async () => {
  const handle = await start();
  await until(() => world.reminders.length === 1);
  await decide(handle, 'withdraw');
  expect(await handle.result()).toMatchObject({ status: 'withdrawn' });
  expect(world.reminders).toEqual(['reminder']);
});

test('what blocks sends a submission back without an operator', async () => {
  world.check = async () => ({ blocking: 2, examples: 3, probes: 3 });
  expect(await (await start()).result()).toEqual({ status: 'changes_requested', findings: 2, costUsd: 0 });
  expect(world.moves).toEqual(['request_changes']);
});

test('a decision while the checks go on ends the review, whatever they would have found', async () => {
  let finish = () => {};
  world.check = () => new Promise((resolve) => (finish = () => resolve({ blocking: 1, examples: 0, probes: 0 })));
  const handle = await start();
  expect(await decide(handle, 'approve')).toEqual({ outcome: 'moved', status: 'active' });
  finish();
  expect(await handle.result()).toMatchObject({ status: 'active' });
  expect(world.moves).toEqual(['approve']);
});

test('of two decisions at once the first counts, and both are told so', async () => {
  const handle = await start();
  const answers = await Promise.all([decide(handle, 'approve'), decide(handle, 'withdraw')]);
  expect(answers.map((answer) => (answer as { outcome: string }).outcome).toSorted()).toEqual(['moved', 'wrong_state']);
  expect(world.moves).toHaveLength(1);
  await handle.result();
});

test('checks that can’t be made leave the decision to an operator', async () => {
  world.check = () =>
    Promise.reject(Object.assign(new Error('broken'), { name: 'ApplicationFailure', nonRetryable: true }));
  const handle = await start();
  await until(async () => (await detailsOf(handle)) !== '');
  await decide(handle, 'approve');
  expect(await handle.result()).toMatchObject({ status: 'active' });
});
