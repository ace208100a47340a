import { proxyActivities } from '@temporalio/workflow';

const { answer } = proxyActivities<{ answer(): Promise<string> }>({ startToCloseTimeout: '1m' });

/** What a run is compared with: a workflow that calls one activity and does nothing else. */
export const bare = (): Promise<string> => answer();
