import { proxyActivities } from '@temporalio/workflow';
import type { Activities } from '../activities/index.ts';
import type { ArchiveResult } from '../contracts/archive.ts';

const { archiveMonths: archiveDueMonths } = proxyActivities<Activities>({
  // A month of a hundred million calls takes hours. Another worker continues after two minutes without a heartbeat.
  startToCloseTimeout: '20h',
  heartbeatTimeout: '2m',
  retry: { initialInterval: '1m', maximumAttempts: 3 },
  summary: 'Move closed months of calls to the archive',
});

/** Moves the months that are due to the archive, one after the other. */
export const archiveMonths = (): Promise<ArchiveResult> => archiveDueMonths();
