import type { PlatformCosts } from '../../db/agents/configuration.ts';
import type { Database } from '../../db/database.ts';

/** The workflows of reviews, from outside. Each call is idempotent. */
export interface ReviewWorkflows {
  /** Starts the workflow of a review, unless it runs or has completed. */
  start: (deploymentId: string) => Promise<void>;
  listOpen: () => Promise<{ deploymentId: string; workflowId: string }[]>;
  /** Notifies a workflow that its deployment has been decided, so that it ends. */
  tellDecided: (workflowId: string) => Promise<void>;
}

/** Services that the activities of reviews use. */
export interface ReviewDependencies {
  db: Pick<Database, 'pool' | 'ledger'>;
  reviews: ReviewWorkflows;
  platformCosts: PlatformCosts;
  /** The most that the trials of one submission may cost the platform. */
  reviewCostUsdMax: number;
}
