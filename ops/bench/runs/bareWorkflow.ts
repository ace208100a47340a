import { proxyActivities } from '@temporalio/workflow';

const { answer } = proxyActivities<{ answer(): Promise<string> }>({ startToCloseTimeout: '1m' });

/** The baseline for a run: a workflow that calls one activity and does nothing else. */
export const bare = (): Promise<string> => answer();
