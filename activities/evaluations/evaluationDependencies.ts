import type { AgentModels } from '../../db/agents/agentModels.ts';
import type { Database } from '../../db/database.ts';
import type { OrderServices } from '../../orders/place.ts';
import type { LineCalls } from '../batch/lineCalls.ts';

/** Services that the activities of evaluations use. */
export interface EvaluationDependencies {
  db: Pick<Database, 'pool' | 'ledger' | 'read' | 'write' | 'everywhere'>;
  models: AgentModels;
  orders: OrderServices;
  /** The calls of models that judge. */
  judges: Pick<LineCalls, 'run' | 'worstCaseNanosOf'>;
}

/** Access to the workflows of evaluations. */
export interface EvaluationWorkflows {
  /** Starts a workflow unless it runs; a terminated one continues. */
  start: (evaluation: { id: string; workspaceId: string; agentId: string }) => Promise<void>;
  cancel: (id: string) => Promise<void>;
}
