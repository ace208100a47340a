import { agentIn } from '../../base/agentNames.ts';

/**
 * The scopes of keys: products, publishing, contents of calls, managing keys, operating. Only members have `billing`, because they pay.
 */
export type Scope = 'llm' | 'voice' | 'batch' | 'agents' | 'publisher' | 'contents' | 'manage' | 'billing' | 'operator';

// The scope for models includes running agents.
export const IMPLIED_BY: Partial<Record<Scope, Scope>> = { agents: 'llm' };

/** Whether a key has the scope, or a scope that implies it. */
export function hasScope({ scopes }: { scopes: ReadonlySet<string> }, needed: Scope): boolean {
  const implying = IMPLIED_BY[needed];
  return scopes.has(needed) || (implying !== undefined && scopes.has(implying));
}

/** Whether a key may run an agent. A derived key may be restricted to certain agents. */
export const mayRun = ({ allowedAgents }: { allowedAgents: readonly string[] | null }, agent: string): boolean =>
  allowedAgents?.includes(agentIn(agent)) ?? true;
