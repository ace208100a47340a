import { condition, defineSignal, proxyActivities, setHandler } from '@temporalio/workflow';
import type { WebhookActivities } from '../activities/index.ts';
import { DELIVER_AGAIN_SIGNAL, WEBHOOK_TASK_QUEUE, type WebhookInput } from '../contracts/webhook.ts';

const deliverAgain = defineSignal(DELIVER_AGAIN_SIGNAL);

const { deliverWebhook } = proxyActivities<WebhookActivities>({
  taskQueue: WEBHOOK_TASK_QUEUE,
  startToCloseTimeout: '1m',
  // A refused delivery is not a failure of the activity: the activity fails when the database is down.
  retry: { initialInterval: '1s', backoffCoefficient: 2, maximumInterval: '1m' },
  summary: 'Send an event to an endpoint',
});

/**
 * Delivers one event to one endpoint: attempts until one is accepted, all have failed, or the endpoint is disabled. The activity reads
 * event, address and secrets, so that the history has only ids. Returns the number of attempts.
 */
export async function webhook(input: WebhookInput): Promise<{ attempts: number }> {
  let isCalled = false;
  setHandler(deliverAgain, () => {
    isCalled = true;
  });
  for (let attempts = 1; ; attempts += 1) {
    isCalled = false;
    const { delayMs } = await deliverWebhook(input);
    if (delayMs === null && !isCalled) return { attempts };
    if (delayMs !== null) await condition(() => isCalled, delayMs);
  }
}
