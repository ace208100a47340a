import { randomUUID } from 'node:crypto';

/** The queue of bare workflows, and their name. */
export const BARE_TASK_QUEUE = 'bench-bare';
export const BARE_WORKFLOW = 'bare';

/** What starts a bare workflow. */
export const bareStart = () => ({ taskQueue: BARE_TASK_QUEUE, workflowId: randomUUID(), args: [] as [] });
