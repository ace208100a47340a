import type { Database } from '../../db/database.ts';
import type { UpstreamBatches } from '../../providers/upstreamBatches.ts';
import type { LineCalls } from './lineCalls.ts';

/** Services that the activities of batches use. */
export interface BatchDependencies {
  db: Pick<Database, 'pool' | 'ledger' | 'read' | 'write' | 'everywhere' | 'liveCalls' | 'refusals'>;
  lines: LineCalls;
  upstreamBatches: Pick<UpstreamBatches, 'of' | 'has'>;
  /** Lines of all batches that one worker runs at once. */
  batchConcurrency: number;
  /** The longest delay between two attempts of a line. */
  retryDelayMaxMs: number;
}
