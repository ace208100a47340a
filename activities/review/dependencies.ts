import type { Database } from '../../db/database.ts';

/** What the activities of reviews reach the world through. */
export interface ReviewDependencies {
  db: Pick<Database, 'pool' | 'ledger'>;
  /** Starts the workflow of a review. May be called again for the same one. */
  startReview: (deploymentId: string) => Promise<void>;
}
