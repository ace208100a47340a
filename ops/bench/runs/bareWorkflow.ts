import { proxyActivities } from '@temporalio/workflow';

const { answer } = proxyActivities<{ answer(): Promise<string> }>({ startToCloseTimeout: '1m' });

/** The baseline for a run: a workflow that only calls an activity, once for each step. */
export async function bare(steps = 1): Promise<string> {
  let answered = '';
  for (let step = 0; step < steps; step += 1) answered = await answer();
  return answered;
}
