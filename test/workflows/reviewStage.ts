import { fileURLToPath } from 'node:url';
import { Client, Connection, type WorkflowHandleWithFirstExecutionRunId } from '@temporalio/client';
import { Context } from '@temporalio/activity';
import { bundleWorkflowCode, DefaultLogger, NativeConnection, Worker } from '@temporalio/worker';
import type { Activities } from '../../activities/index.ts';
import { ensureSearchAttributes } from '../../worker/namespace.ts';
import {
  DECIDE_REVIEW_UPDATE,
  REVIEW_WORKFLOW,
  reviewWorkflowId,
  type ReviewDecision,
  type ReviewDecisionResult,
  type ReviewInput,
} from '../../contracts/review.ts';
import type { RunResult } from '../../contracts/run.ts';
import type { review } from '../../workflows/review.ts';
import { startTestTemporal } from '../support/temporal.ts';

const QUEUE = 'reviews-of-a-test';
const statuses: Record<string, string> = { approve: 'active', withdraw: 'withdrawn', reject: 'rejected' };

export type ReviewHandle = WorkflowHandleWithFirstExecutionRunId<typeof review>;
type Check = Awaited<ReturnType<Activities['checkSubmission']>>;
type Judgement = Awaited<ReturnType<Activities['judgeTrial']>>;

/** Scripted activities of one review, which record their calls. The deployment is decided once, as in the database. */
export interface ReviewWorld {
  check: () => Promise<Check>;
  judge: () => Judgement;
  /** Whether the model of a trial answers; otherwise it runs until it is stopped. */
  answers: boolean;
  /** How the run of a trial ends. */
  trialEndsAs: RunResult['status'];
  status: string;
  moves: string[];
  reminders: string[];
  /** How often it was told that the checks failed. */
  broken: number;
  trials: string[];
  /** Whether there is a public version, which no earlier review has run. */
  isPublic: boolean;
  /** The waits of an approved version, one per check of its rollout. */
  rolloutWaitsMs: number[];
  /** The number of these checks. */
  rolloutLooks: number;
  /** Trials that were ended before their model answered. */
  stopped: number;
}

const freshWorld = (): ReviewWorld => ({
  check: async () => ({ blocking: 0, examples: 0, probes: 0 }),
  judge: () => ({ blocking: 0, costUsd: 0.25 }),
  answers: true,
  trialEndsAs: 'completed',
  status: 'in_review',
  moves: [],
  reminders: [],
  broken: 0,
  trials: [],
  isPublic: false,
  rolloutWaitsMs: [],
  rolloutLooks: 0,
  stopped: 0,
});

export type ReviewWorkflowStage = Awaited<ReturnType<typeof setReviewWorkflowStage>>;

/** The event that an undecided review reaches within a second; the other event is not reached within a test. */
export type Wait = 'reminder' | 'escalation';

/**
 * The workflows of reviews on a Temporal server, with scripted activities. Their ids determine how fast days pass. The worker's runtime
 * must be installed before.
 */
export async function setReviewWorkflowStage() {
  const temporal = await startTestTemporal();
  const connection = await Connection.connect({ address: temporal.address });
  const native = await NativeConnection.connect({ address: temporal.address });
  await ensureSearchAttributes(connection, temporal.namespace);
  const client = new Client({ connection });
  let world = freshWorld();
  const workflowBundle = await bundleWorkflowCode({
    workflowsPath: pathOf('workflows/index.ts'),
    webpackConfigHook,
    logger: new DefaultLogger('WARN'),
  });
  const activities = activitiesOf(() => world);
  const worker = await Worker.create({
    connection: native,
    taskQueue: QUEUE,
    workflowBundle,
    activities,
    maxHeartbeatThrottleInterval: '100ms',
  });
  const running = worker.run();
  let count = 0;

  function start(endsIn: Wait | 'decision' = 'decision', more: Partial<ReviewInput> = {}): Promise<ReviewHandle> {
    count += 1;
    const input: ReviewInput = { deploymentId: `dep_${endsIn}_${count}`, ...more };
    return client.workflow.start<typeof review>(REVIEW_WORKFLOW, {
      workflowId: reviewWorkflowId(input.deploymentId),
      taskQueue: QUEUE,
      args: [input],
    });
  }

  const decide = (handle: ReviewHandle, move: ReviewDecision['move']) =>
    handle.executeUpdate<ReviewDecisionResult, [ReviewDecision]>(DECIDE_REVIEW_UPDATE, {
      args: [{ move, feedback: [], by: { publisher: 'ws_1', requestId: 'req_1' } }],
    });

  async function close(): Promise<void> {
    worker.shutdown();
    await running;
    await Promise.all([connection.close(), native.close()]);
    await temporal.stop();
  }

  return {
    start,
    decide,
    /** The world of the next started review. */
    newWorld: (changes: Partial<ReviewWorld> = {}): ReviewWorld => (world = { ...freshWorld(), ...changes }),
    /** The details that the Temporal UI shows for a running review. */
    detailsOf: async (handle: ReviewHandle): Promise<string> =>
      (await handle.query<{ currentDetails: string }>('__temporal_workflow_metadata')).currentDetails,
    close,
  };
}

function activitiesOf(world: () => ReviewWorld) {
  return {
    checkSubmission: () => world().check(),
    createTrial: async ({ kind, index }: { kind: string; index: number }) => {
      if (kind === 'live' && !world().isPublic) return null;
      const runId = `run_${kind}${index}_${Context.current().info.workflowExecution!.runId}`;
      world().trials.push(`${kind}${index}`);
      return runId;
    },
    modelStep: async () => {
      while (!world().answers) {
        Context.current().heartbeat();
        await Context.current().sleep(50);
      }
      return { next: 'end', meters: {}, events: [], result: resultOf(world().trialEndsAs) };
    },
    finishRun: async () => {
      world().stopped += 1;
      return resultOf('cancelled');
    },
    recordBrokenChecks: async () => void (world().broken += 1),
    dropTrial: async () => undefined,
    judgeTrial: async () => world().judge(),
    moveReview: async ({ move }: { move: string }) => {
      const { status, moves } = world();
      if (status !== 'in_review') return { outcome: 'wrong_state', status };
      moves.push(move);
      world().status = statuses[move] ?? 'changes_requested';
      return { outcome: 'moved', status: world().status };
    },
    advanceRollout: async () => {
      world().rolloutLooks += 1;
      return { waitMs: world().rolloutWaitsMs.shift() ?? null };
    },
    remindReviewers: async ({ level }: { level: string }) => void world().reminders.push(level),
  };
}

const resultOf = (status: RunResult['status']): RunResult => ({
  status,
  meters: {},
  subtotalNanos: '0',
  networkFeeNanos: '0',
  totalNanos: '0',
  absorbedNanos: '0',
  events: [],
});

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
