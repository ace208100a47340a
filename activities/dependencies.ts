import type { AgentConfiguration, PlatformCosts } from '../db/agents/configuration.ts';
import type { Model } from '../db/catalog.ts';
import type { Database } from '../db/database.ts';
import type { RunRow } from '../db/runs/runRow.ts';
import type { TextProviders } from '../providers/textProviders.ts';
import type { Toolbox } from '../tools/toolbox.ts';

/** The workflows of runs, from outside. Each call is idempotent, also for a workflow that has ended. */
export interface RunWorkflows {
  start: (run: RunRow) => Promise<void>;
  cancel: (runId: string) => Promise<void>;
  /** Notifies a workflow that its caller has answered. */
  resume: (runId: string) => Promise<void>;
  isOpen: (runId: string) => Promise<boolean>;
  /** The runs whose workflows were ended from outside in the last minutes. */
  listTerminated: () => Promise<string[]>;
  /** Deletes the histories of sweeps that ended more than an hour ago. Returns their number: a few hundred at most. */
  pruneSweeps: () => Promise<number>;
}

/** Services that the activities of runs use. */
export interface RunDependencies {
  db: Pick<Database, 'pool' | 'ledger' | 'read' | 'write' | 'everywhere'>;
  /** The model of agents, and its provider. */
  model: Model;
  textProviders: Pick<TextProviders, 'of'>;
  /** Opens the tools of an agent; the caller closes them. */
  openTools: (configuration: AgentConfiguration) => Promise<Toolbox>;
  workflows: RunWorkflows;
  /** The longest delay between two attempts of a step. */
  retryDelayMaxMs: number;
}

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
  db: Pick<Database, 'pool' | 'ledger' | 'read' | 'write' | 'everywhere'>;
  reviews: ReviewWorkflows;
  platformCosts: PlatformCosts;
  /** The most that the trials of one submission may cost the platform. */
  reviewCostUsdMax: number;
}
