import type { AgentModels } from '../db/agents/agentModels.ts';
import type { AgentConfiguration } from '../db/agents/configuration.ts';
import type { Database } from '../db/database.ts';
import type { RunRow } from '../db/runs/runRow.ts';
import type { SecretOpener } from '../db/sealing/secretBox.ts';
import type { OrderServices } from '../orders/place.ts';
import type { TurnOf } from '../orders/turns.ts';
import type { TextProviders } from '../providers/textProviders.ts';
import type { Egress } from '../tools/guardedAgent.ts';
import type { Resolve } from '../tools/lookUp.ts';
import type { Toolbox } from '../tools/toolbox.ts';
import type { WebhookInput } from '../contracts/webhook.ts';

/** Access to the workflows of runs. Each call is idempotent, even for a workflow that has ended. */
export interface RunWorkflows {
  /** A run that still waits takes its turn instead. */
  start: (run: RunRow) => Promise<void>;
  /** Starts waiting runs whose turn it is: in the lanes of the run, or in all of the workspace. */
  turn: (of: TurnOf) => Promise<void>;
  /** The same after a while, unless the process ends before. */
  turnIn: (workspaceId: string, inMs: number) => void;
  cancel: (runId: string) => Promise<void>;
  /** Tells the firing of a schedule that its run has ended. */
  tellFiring: (runId: string) => Promise<void>;
  /** Notifies a workflow that its caller has answered. `childId`: the run that has ended, if that is why. */
  resume: (runId: string, childId?: string) => Promise<void>;
  /** Unknown: Temporal has no such workflow, as after a restore of the database to an earlier time, when it begins empty. */
  stateOf: (runId: string) => Promise<'open' | 'ended' | 'terminated' | 'unknown'>;
  /** The runs whose workflows an operator has terminated in the last minutes. */
  listTerminated: () => Promise<string[]>;
  /** Revokes the tokens of a workspace that has disconnected a plugin. */
  revokeSignIn: (place: { workspaceId: string; pluginId: string }) => Promise<void>;
  /** Deletes the histories of sweeps that ended more than an hour ago. Returns their number: a few hundred at most. */
  pruneSweeps: () => Promise<number>;
  /** Deletes the workflows of a workspace with their histories, except for open runs, which are about to end. Returns how many there were. */
  deleteHistories: (workspaceId: string, onProgress: () => void) => Promise<number>;
}

/** Services that the activities of runs use. */
export interface RunDependencies {
  db: Pick<Database, 'pool' | 'ledger' | 'read' | 'write' | 'everywhere' | 'notices'>;
  /** The models of agents, and their provider. */
  models: AgentModels;
  textProviders: Pick<TextProviders, 'of'>;
  /** Opens the tools of an agent with the secrets of the workspace that runs it; the caller closes them. */
  openTools: (configuration: AgentConfiguration, workspaceId: string) => Promise<Toolbox>;
  workflows: RunWorkflows;
  /** The address of the console, for links. */
  consoleUrl?: string;
  /** The longest delay between two attempts of a step. */
  retryDelayMaxMs: number;
  /** For the runs that agents start. */
  orders: OrderServices;
}

/** Access to the workflows of webhooks. Each call is idempotent. */
export interface WebhookWorkflows {
  /** Starts a delivery, one of a flood after others; with `isAgain` wakes a delivery that waits for its next attempt. */
  start: (
    delivery: WebhookInput & { workspaceId: string },
    order: { isAgain: boolean; isFlood?: boolean },
  ) => Promise<void>;
  cancel: (delivery: WebhookInput) => Promise<void>;
}

/** How requests are sent. Tests use shorter waits and other names. */
export interface WebhookSending {
  allowPrivate: Egress['allowPrivate'];
  delaysMs?: readonly number[];
  timeoutMs?: number;
  resolve?: Resolve;
}

/** Services that the activities of webhooks use. */
export interface WebhookDependencies {
  db: Pick<Database, 'everywhere'>;
  webhooks: { secrets: SecretOpener; sending: WebhookSending; workflows: WebhookWorkflows };
}

/** Access to the workflows of reviews. Each call is idempotent. */
export interface ReviewWorkflows {
  /** Starts the workflow of a review, unless it runs or has completed. */
  start: (deploymentId: string) => Promise<void>;
  listOpen: () => Promise<{ deploymentId: string; workflowId: string }[]>;
  /** Notifies a workflow that its deployment has been decided, so that it ends. */
  notifyDecided: (workflowId: string) => Promise<void>;
}

/** Services that the activities of reviews use. */
export interface ReviewDependencies {
  db: Pick<Database, 'pool' | 'ledger' | 'read' | 'write' | 'everywhere'>;
  reviews: ReviewWorkflows;
  models: AgentModels;
  /** The platform's cost limit for the trials of one submission. */
  reviewCostUsdMax: number;
  orders: Pick<OrderServices, 'config'>;
}

/** Access to the workflows of batches. */
export interface BatchWorkflows {
  /** Starts the workflow of a batch unless it runs; a terminated workflow continues. */
  start: (batch: { id: string; workspaceId: string }) => Promise<void>;
}

/** Access to the workflows of test clocks. */
export interface TestClockWorkflows {
  /** Starts the workflow that moves a clock to its target, unless it runs. */
  start: (workspaceId: string) => Promise<void>;
}
