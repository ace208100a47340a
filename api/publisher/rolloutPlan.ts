import { z } from 'zod';
import { planRollout, type RolloutPlanned } from '../../db/publishing/rollout/rollout.ts';
import { STEP_BOUNDS, USUAL_STEPS } from '../../db/publishing/rollout/rolloutSteps.ts';
import type { StepPlan } from '../../db/entities/agent.ts';
import type { AnyRows } from '../../db/postgres/rows.ts';
import { actorOf, type Context } from '../context.ts';
import { pathId } from '../body/parseWith.ts';
import { validationErrorAt } from '../../base/errors/requestErrors.ts';
import { deploymentNotFound } from '../temporal/reviewErrors.ts';
import { deploymentState } from './errors.ts';

const { stepsMax, runsMin, runsMax, hoursMax } = STEP_BOUNDS;

const Step = z.strictObject({
  percentage: z.int().min(1).max(100).describe('The share of new sessions that get the version.'),
  runs_min: z
    .int()
    .min(runsMin)
    .max(runsMax)
    .default(USUAL_STEPS[0]!.runsMin)
    .describe('How many of its runs have to be finished before the next step.'),
  hours_min: z.int().min(0).max(hoursMax).default(USUAL_STEPS[0]!.hoursMin).describe('The least time of the step.'),
});

/** The steps of a rollout, with increasing shares. */
export const RolloutSteps = z
  .array(Step)
  .min(1)
  .max(stepsMax)
  .refine(
    (steps) => steps.every(({ percentage }, at) => at === 0 || percentage > steps[at - 1]!.percentage),
    'Each step needs a larger percentage than the one before.',
  );

export const RolloutPlanBody = z.strictObject({ steps: RolloutSteps });
export type RolloutPlan = z.output<typeof RolloutPlanBody>;

/** The steps as they are stored. */
export const plansOf = (steps: z.output<typeof RolloutSteps>): StepPlan[] =>
  steps.map(({ percentage, runs_min: runs, hours_min: hours }) => ({ percentage, runsMin: runs, hoursMin: hours }));

/**
 * Plans the steps of the deployment in the path, among these rows. Throws 404 `deployment_not_found`, 409 `deployment_state`, and 422 for a
 * share that the rollout has already reached.
 */
export async function takePlan(ctx: Context<RolloutPlan>, rows: AnyRows): Promise<void> {
  const deploymentId = pathId(ctx, 'deployment_id');
  const { steps } = ctx.state.input;
  refusePlan(await planRollout(rows, { deploymentId, steps: plansOf(steps), by: actorOf(ctx) }), deploymentId);
}

function refusePlan(planned: RolloutPlanned, deploymentId: string): void {
  switch (planned.outcome) {
    case 'planned':
      return;
    case 'not_found':
      throw deploymentNotFound(deploymentId);
    case 'not_open':
      throw deploymentState(`${planned.status}: there is no rollout to plan`);
    case 'begun': {
      const msg = `The rollout is at ${planned.percentage} % already: the steps that follow need more.`;
      throw validationErrorAt(['body', 'steps', '0', 'percentage'], msg);
    }
    default:
      planned satisfies never;
  }
}
