import { proxyActivities } from '@temporalio/workflow';
import type { Activities } from '../activities/index.ts';
import type { EraseResult } from '../contracts/erasure.ts';

const { eraseDueWorkspaces } = proxyActivities<Activities>({
  // Enough for a workspace with many runs; an attempt of a killed worker starts again.
  startToCloseTimeout: '2h',
  heartbeatTimeout: '2m',
  retry: { initialInterval: '10s', maximumAttempts: 5 },
  summary: 'Erase the workspaces whose grace is over',
});

/** Erases each workspace whose erasure is due. */
export const eraseWorkspaces = (): Promise<EraseResult> => eraseDueWorkspaces();
