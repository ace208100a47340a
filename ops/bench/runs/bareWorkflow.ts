import { proxyActivities } from '@temporalio/workflow';

const { answer } = proxyActivities<{ answer(): Promise<string> }>({ startToCloseTimeout: '1m' });

/** The baseline for a run: a workflow that only calls one activity. */
export const bare = (): Promise<string> => answer();
