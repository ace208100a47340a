import { proxyActivities } from '@temporalio/workflow';
import type { WebhookActivities } from '../activities/index.ts';
import type { HttpToolTestInput } from '../contracts/httpToolTest.ts';
import { WEBHOOK_TASK_QUEUE } from '../contracts/webhook.ts';

const { testHttpTool } = proxyActivities<WebhookActivities>({
  summary: 'Send a signed test call',
  taskQueue: WEBHOOK_TASK_QUEUE,
  startToCloseTimeout: '30s',
  // A worker that was lost may have sent it: the receiver knows the call by its id.
  retry: { initialInterval: '200ms', maximumAttempts: 3 },
});

/** One test of an HTTP tool. What is sent and received is in the database: the history contains only the id. */
export const httpToolTest = ({ testId }: HttpToolTestInput): Promise<void> => testHttpTool(testId);
