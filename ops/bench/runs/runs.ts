import { setTimeout as sleep } from 'node:timers/promises';
import { runStartOf, RUN_WORKFLOW } from '../../../contracts/run.ts';
import type { Installation } from '../installation.ts';
import { Connection } from '../load.ts';
import { measureReaders, type Delivered } from './readers.ts';
import { measureSteps, STEPS, STEPS_INPUT, type StepsFigures } from './steps.ts';
import {
  withRunStage,
  bareStart,
  BARE_WORKFLOW,
  runRequest,
  type RunStage,
  countCompleted,
  createRuns,
} from './stage.ts';

/** The sizes of the measurements of runs. */
export interface RunPlan {
  rounds: number;
  /** Per round: calls timed one at a time, and runs timed while many are in progress. */
  callsAlone: number;
  runsTogether: number;
  /** Runs with several steps. */
  stepRuns: number;
  inFlight: number;
  readers: number;
  readersMs: number;
}

export interface RunFigures {
  /** Time to the 202, compared with the call that starts a bare workflow. */
  accepted: Compared[];
  /** Time from a workflow's start to its result, compared with a bare workflow's. */
  alone: Compared[];
  together: Compared[];
  /** Of runs with several steps, compared with bare workflows of as many activities. */
  stepsAlone: Compared[];
  steps: StepsFigures;
  /** The number of concurrent runs. */
  inFlight: number;
  delivered: Delivered[];
}

/** Figures of agent runs, each with that of a bare workflow on the same server at the same time. */
export async function measureRuns(
  installation: Installation,
  { rounds, callsAlone, runsTogether, stepRuns, inFlight, readers, readersMs }: RunPlan,
  onProgress: (text: string) => void,
): Promise<RunFigures> {
  return withRunStage(installation, async (stage) => {
    onProgress('runs accepted');
    const accepted = await measureAccepted(stage, callsAlone, rounds);
    onProgress('runs from start to end, 1 in flight');
    const alone = await measureEnds(stage, { inFlight: 1, count: callsAlone, rounds });
    onProgress(`runs from start to end, ${inFlight} in flight`);
    const together = await measureEnds(stage, { inFlight, count: runsTogether, rounds });
    onProgress(`runs of ${STEPS} steps`);
    const several = { inFlight: 1, count: callsAlone, rounds, steps: STEPS, input: STEPS_INPUT };
    const stepsAlone = await measureEnds(stage, several);
    const steps = await measureSteps(stage, stepRuns, rounds);
    onProgress(`events of a run, ${readers} readers`);
    const delivered = await measureReaders(stage, { readers, roundMs: readersMs, rounds });
    return { accepted, alone, together, stepsAlone, steps, inFlight, delivered };
  });
}

/** Times of each round in milliseconds: of our runs, and of bare workflows. */
export interface Compared {
  ours: number[];
  bare: number[];
}

const POLL_MS = 5;

/**
 * Times from `POST /v1/runs` to its 202, and of the client's call that starts a bare workflow: one at a time, alternating, each after the
 * previous run or workflow has ended.
 */
async function measureAccepted(stage: RunStage, calls: number, rounds: number): Promise<Compared[]> {
  const connection = await Connection.open(stage.api.url);
  const measured: Compared[] = [];
  for (let round = 0; round <= rounds; round += 1) {
    const compared: Compared = { ours: [], bare: [] };
    for (let call = 0; call < calls; call += 1) {
      compared.ours.push(await timeOrder(stage, connection));
      compared.bare.push(await timeStart(stage));
    }
    // The first round is a warm-up.
    if (round > 0) measured.push(compared);
  }
  connection.close();
  return measured;
}

async function timeOrder({ installation: { db, secret } }: RunStage, connection: Connection): Promise<number> {
  const sentAtMs = performance.now();
  const answer = await connection.exchange(runRequest(secret));
  const tookMs = performance.now() - sentAtMs;
  if (!answer.isGood) throw new Error(`a run was answered with ${answer.head}`);
  for (;;) {
    const { rowCount } = await db.pool.query('select from runs where settled_at is null limit 1');
    if (rowCount === 0) return tookMs;
    await sleep(POLL_MS);
  }
}

async function timeStart({ client }: RunStage): Promise<number> {
  const startedAtMs = performance.now();
  const handle = await client.workflow.start(BARE_WORKFLOW, bareStart());
  const tookMs = performance.now() - startedAtMs;
  await handle.result();
  return tookMs;
}

interface Ends {
  inFlight: number;
  count: number;
  rounds: number;
  /** The number of steps of a run; its input decides it. */
  steps?: number;
  input?: string;
}

/**
 * Time from a workflow's start to its result, with this many in progress: a run of a model that answers at once, by default with one step,
 * and a bare workflow with as many activities. The runs are created in advance.
 */
async function measureEnds(stage: RunStage, ends: Ends): Promise<Compared[]> {
  const { inFlight, count, rounds, steps } = ends;
  const { client } = stage;
  const measured: Compared[] = [];
  for (let round = 0; round <= rounds; round += 1) {
    const ours = await timeRuns(stage, ends);
    const bares = Array.from({ length: count }, () => () => client.workflow.execute(BARE_WORKFLOW, bareStart(steps)));
    const bare = await timeAll(bares, inFlight);
    // The first round is a warm-up.
    if (round > 0) measured.push({ ours, bare });
  }
  return measured;
}

async function timeRuns({ client, installation }: RunStage, { count, inFlight, input }: Ends): Promise<number[]> {
  const runs = await createRuns(installation, count, input);
  const timesMs = await timeAll(
    runs.map((run) => () => client.workflow.execute(RUN_WORKFLOW, runStartOf(run, { keyPrefix: 'bench', delayMs: 0 }))),
    inFlight,
  );
  const completed = await countCompleted(installation.db, runs);
  if (completed < count) throw new Error(`only ${completed} of ${count} runs completed`);
  return timesMs;
}

/** Runs all tasks with this concurrency; returns the duration of each in milliseconds. */
async function timeAll(works: (() => Promise<unknown>)[], inFlight: number): Promise<number[]> {
  const timesMs: number[] = [];
  const left = works.values();
  const goOn = async (): Promise<void> => {
    for (const work of left) {
      const beganAtMs = performance.now();
      await work();
      timesMs.push(performance.now() - beganAtMs);
    }
  };
  await Promise.all(Array.from({ length: inFlight }, goOn));
  return timesMs;
}
