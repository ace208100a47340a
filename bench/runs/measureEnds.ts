import { runStartOf, RUN_WORKFLOW } from '../../workflows/contract.ts';
import { bareStart, BARE_WORKFLOW } from './bare.ts';
import type { Compared } from './measureAccepted.ts';
import { countCompleted, createRuns } from './orders.ts';
import type { RunStage } from './stage.ts';

/**
 * How long it takes from the start of a workflow to its result, with so many under way: a run with one step of a model that answers at
 * once, and a bare workflow with one activity. The runs have been created before.
 */
export async function measureEnds(
  stage: RunStage,
  { inFlight, count, rounds }: { inFlight: number; count: number; rounds: number },
): Promise<Compared[]> {
  const { client } = stage;
  const measured: Compared[] = [];
  for (let round = 0; round <= rounds; round += 1) {
    const ours = await timeRuns(stage, count, inFlight);
    const bares = Array.from({ length: count }, () => () => client.workflow.execute(BARE_WORKFLOW, bareStart()));
    const bare = await timeAll(bares, inFlight);
    // The first round warms everything up.
    if (round > 0) measured.push({ ours, bare });
  }
  return measured;
}

async function timeRuns({ client, installation }: RunStage, count: number, inFlight: number): Promise<number[]> {
  const runs = await createRuns(installation, count);
  const timesMs = await timeAll(
    runs.map((run) => () => client.workflow.execute(RUN_WORKFLOW, runStartOf(run, { keyPrefix: 'bench', delayMs: 0 }))),
    inFlight,
  );
  const completed = await countCompleted(installation.db, runs);
  if (completed < count) throw new Error(`only ${completed} of ${count} runs completed`);
  return timesMs;
}

/** Does all pieces of work, so many at once; how long each took, in milliseconds. */
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
