import { out } from '../terminal/colors.ts';
import type { Deployment, OwnAgent } from './ownAgents.ts';

const WORDS: Partial<Record<Deployment['status'], string>> = {
  in_review: 'in review',
  changes_requested: 'sent back',
  scheduled: 'approved, for later',
};

/** A deployment in a word: `public`, `in review`, `10 % of new sessions`. */
export function stateOf({ status, visibility, rollout }: Deployment): string {
  if (status !== 'active') return WORDS[status] ?? status;
  return rollout?.state === 'rolling' ? `${rollout.percentage} % of new sessions` : visibility;
}

/** An agent in a word or two, of the most public one first. */
export function statesOf(agent: OwnAgent): string {
  if (agent.taken_down) return out.red('taken down');
  const deployments = [agent.public_deployment, agent.public_submission, agent.private_deployment];
  const states = deployments.filter((one) => one !== null).map(stateOf);
  if (agent.deprecation) states.unshift('deprecated');
  return states.join(', ') || 'draft';
}
