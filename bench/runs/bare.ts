import { randomUUID } from 'node:crypto';

/** The queue of bare workflows, and their name. */
export const bareTaskQueue = 'bench-bare';
export const bareWorkflow = 'bare';

/** What starts a bare workflow. */
export const bareStart = () => ({ taskQueue: bareTaskQueue, workflowId: randomUUID(), args: [] as [] });
