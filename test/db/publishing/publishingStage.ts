import type { AgentConfiguration } from '../../../db/agents/configuration.ts';
import { insertAgent } from '../../../db/publishing/publisherAgents.ts';
import { moveDeployment, type DeploymentMove, type MoveOrder } from '../../../db/publishing/moveDeployment.ts';
import { findPublisherAgent } from '../../../db/publishing/publisherAgents.ts';
import { submitDraft } from '../../../db/publishing/submit.ts';
import { newId } from '../../../db/ids.ts';
import { makeAccount } from '../../support/account.ts';
import { testModels } from '../../support/agent.ts';
import { setTestDatabase } from '../../support/database.ts';

/** The actor. */
export const publisher = { keyId: 'key_p', requestId: 'req_p' };

/** The daily limit of submissions per namespace. */
export const SUBMISSIONS_MAX = 5;

export const draft: AgentConfiguration = {
  name: 'Poet',
  description: 'Writes verses.',
  instructions: 'Write a verse.',
  tools: ['write_file'],
  plugins: [],
  pricing: {
    minimum_cost_usd: 0.01,
    maximum_cost_usd: 1,
    rates: [{ meter: 'model_output_tokens', price_usd: 0.0000025 }],
  },
  icon_file_id: null,
  categories: ['writing'],
  example_prompts: ['A verse about rain'],
};
const tools = new Set(['write_file']);

/** A database with agents whose drafts can be submitted. */
export async function setPublishingStage() {
  const db = await setTestDatabase();

  async function makeAgent(
    changes: Partial<AgentConfiguration> = {},
    owner?: { workspaceId: string; namespace: string },
  ) {
    const workspaceId = owner?.workspaceId ?? (await makeAccount(db)).workspaceId;
    const namespace = owner?.namespace ?? `space-${newId('n').slice(2).toLowerCase()}`;
    const slug = owner ? newId('n').slice(2).toLowerCase() : 'poet';
    const made = await insertAgent(db.write(workspaceId), { namespace, slug, draft: { ...draft, ...changes } });
    if (made.outcome !== 'created') throw new Error(made.outcome);
    const submit = (
      more: { revision?: number | null; visibility?: 'public' | 'private'; deploymentId?: string } = {},
    ) =>
      submitDraft(db.write(workspaceId), {
        agentId: made.agentId,
        revision: null,
        visibility: 'public',
        tools,
        models: { ...testModels, costsOf: () => ({}) },
        submissionsPerDayMax: SUBMISSIONS_MAX,
        deploymentId: newId('dep'),
        ...more,
      });
    const submitted = async () => {
      const result = await submit();
      if (result.outcome !== 'submitted') throw new Error(result.outcome);
      return result.deployment.id;
    };
    const read = async () => (await findPublisherAgent(db.read(workspaceId), made.agentId))!;
    return { workspaceId, agentId: made.agentId, namespace, name: `${namespace}/${slug}`, submit, submitted, read };
  }

  const move = (deploymentId: string, kind: DeploymentMove, more: Pick<MoveOrder, 'rolloutPercentage'> = {}) =>
    moveDeployment(db.everywhere, { deploymentId, move: kind, feedback: [], by: 'review', ...more });

  return { db, makeAgent, move, close: () => db.close() };
}
