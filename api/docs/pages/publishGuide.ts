import { NOTICE_DAYS, QUALITY_DAYS } from '../../../base/limits.ts';
import { STEP_BOUNDS, USUAL_STEPS } from '../../../db/publishing/rollout/rolloutSteps.ts';
import { ROLLOUT_RULES } from '../../../db/publishing/rollout/rolloutVerdict.ts';
import type { Guide } from './html.ts';

const { completionDropMax, costRisePercentMax } = ROLLOUT_RULES;
const usual = USUAL_STEPS.map(({ percentage, hoursMin }) => `${percentage} % for ${hoursMin} h`).join(', ');

/** What happens to a submitted agent, and to what it earns. */
export const publishing: Guide = {
  id: 'reviews-and-earnings',
  title: 'Publish a version, and be paid',
  parts: [
    'A submission is reviewed: its configuration is checked, and each example prompt runs with it. The platform pays for these trials, unless you withdraw the submission: then they are billed to you. When the agent is public already, its present version answers the same prompts, so that both answers stand side by side:',
    {
      code: `curl -sS "$BASE_URL/v1/publisher/deployments/$DEPLOYMENT/trials" -H "Authorization: Bearer $API_KEY"`,
    },
    'Each trial has the answer, the files (`…/trials/files/{file_id}/content`), the steps, the cost and the duration of both. A prompt that an earlier review ran with the present version is not run again.',
    `An approved version is what runs get that name no version: at once, or at first for a share of the new sessions (\`rollout\` of the deployment). A session stays with its version while it is rolled out, and a run that names a version gets that one. The share grows in steps (usually ${usual}, each with at least ${USUAL_STEPS[0]!.runsMin} finished runs), and after the last one the version is the default. With the least number of runs of a step it is compared with the present one: it is rolled back when its completion rate is more than ${completionDropMax * 100} percentage points lower, or its median cost more than ${costRisePercentMax} % higher. \`steps\` of \`rollout\` has what each step saw of both versions.`,
    'You plan other steps for a submission, or those of an open rollout that have not begun; the operator who approves may name others:',
    {
      code: `curl -sS "$BASE_URL/v1/publisher/deployments/$DEPLOYMENT/rollout" -H "Authorization: Bearer $API_KEY" -H "Content-Type: application/json" \\
  -d '{"steps": [{"percentage": 10, "runs_min": 50, "hours_min": 4}, {"percentage": 100, "runs_min": 200, "hours_min": 24}]}'`,
    },
    `A plan has at most ${STEP_BOUNDS.stepsMax} steps, each with ${STEP_BOUNDS.runsMin} to ${STEP_BOUNDS.runsMax.toLocaleString('en-US')} runs and at most ${STEP_BOUNDS.hoursMax} hours. \`POST …/promote\` and \`…/roll-back\` end a rollout by hand. The events are \`deployment.rollout_advanced\`, \`deployment.rollout_completed\` and \`deployment.rolled_back\`.`,
    `A dearer version, in any meter or in the least or most that a run costs, becomes the default ${NOTICE_DAYS} days after its approval. Until then \`upcoming_version\` of the agent has its prices, and the workspaces that ran the agent in the last ${QUALITY_DAYS} days get the event \`agent.price_increase\` and a mail.`,
    'Quality, popularity and rollouts count the runs that callers started. They leave out trials and tests, reruns, runs of the publisher’s workspace, runs that another agent started, and runs with the rehearsal model. `GET /v1/publisher/agents/{agent_id}/feedback` lists what callers said, without who they are.',
    'Earnings are paid out to the prepaid balance of the workspace at once, or by a transfer, which an operator makes and confirms with its reference:',
    {
      code: `curl -sS "$BASE_URL/v1/publisher/payouts" -H "Authorization: Bearer $API_KEY" -H "Content-Type: application/json" \\
  -H "Idempotency-Key: payout-2026-11" -d '{"amount_usd": 25, "to": "balance"}'`,
    },
    'Earnings mature first: `mature_days` of the statement, 14 by default. They wait longer while the balance of the caller whose run earned them is below zero, or one of its payments is questioned by the card’s bank; and what the publisher’s own balance lacks cannot be transferred. `available_usd` can be paid out to the balance now, `transferable_usd` as a transfer, and `maturing_usd` has to wait.',
    'Without `amount_usd` all that can be paid out now is paid. A rejected transfer returns its money; the events are `payout.sent` and `payout.rejected`. `GET /v1/publisher/statement` has what was owed at the month’s start, what it earned, what was paid, and what is owed at its end; in its CSV each row has what is owed after it. A transfer is owed until it is sent.',
  ],
};
