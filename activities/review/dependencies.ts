import type { PlatformCosts } from '../../db/agents/configuration.ts';
import type { Database } from '../../db/database.ts';

/** The workflows of reviews, from outside. Each call may be repeated. */
export interface ReviewWorkflows {
  /** Starts the workflow of a review, unless it is open or has ended by itself. */
  start: (deploymentId: string) => Promise<void>;
  listOpen: () => Promise<{ deploymentId: string; workflowId: string }[]>;
  /** Lets a workflow see that its deployment has been decided, so that it ends. */
  tellDecided: (workflowId: string) => Promise<void>;
}

/** What the activities of reviews reach the world through. */
export interface ReviewDependencies {
  db: Pick<Database, 'pool' | 'ledger'>;
  reviews: ReviewWorkflows;
  platformCosts: PlatformCosts;
  /** What the trials of one submission may cost the platform. */
  reviewCostUsdMax: number;
}
