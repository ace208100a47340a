import type { ResolvedAgent } from '../db/agents/publicAgents.ts';
import { OrderRefused } from './refused.ts';

/** Refuses orders of a public agent that its publisher has taken down, or whose last day is over. Its publisher may still run it privately. */
export function refuseEnded({ agent, ending }: Pick<ResolvedAgent, 'agent' | 'ending'>): void {
  if (!ending) return;
  const { takenDownAt, takenDownMessage, isRetired, sunsetAt, successor, deprecationMessage } = ending;
  if (takenDownAt !== null)
    throw new OrderRefused({ reason: 'agent_taken_down', agent, message: takenDownMessage ?? '' });
  if (isRetired)
    throw new OrderRefused({
      reason: 'agent_retired',
      agent,
      sunsetAt: sunsetAt!,
      successor,
      message: deprecationMessage,
    });
}

/** The text of a refusal of a retired agent. */
export function retiredText({
  agent,
  sunsetAt,
  successor,
  message,
}: {
  agent: string;
  sunsetAt: string;
  successor: string | null;
  message: string | null;
}): string {
  const day = new Date(sunsetAt).toISOString().slice(0, 10);
  return [
    `The agent '${agent}' was retired on ${day}.`,
    successor === null ? 'Choose another agent.' : `Use '${successor}' instead.`,
    ...(message === null ? [] : [`Its publisher says: ${message}`]),
  ].join(' ');
}
