import { proxyActivities } from '@temporalio/workflow';
import type { Activities } from '../activities/index.ts';
import type { SweepResult } from './contract.ts';

const { sweepLedger } = proxyActivities<Activities>({
  startToCloseTimeout: '30s',
  scheduleToCloseTimeout: '2m',
  retry: { initialInterval: '1s', backoffCoefficient: 2, maximumInterval: '10s', maximumAttempts: 5 },
  summary: 'Settle or release what API processes that died had held',
});

/** Ends, on behalf of processes that no longer can, the requests they had taken money for. */
export async function sweep(): Promise<SweepResult> {
  return sweepLedger();
}
