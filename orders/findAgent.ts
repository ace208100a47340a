import { agentIn, releaseIn, VERSION_NAME } from '../base/agentNames.ts';
import type { AgentModels } from '../db/agents/agentModels.ts';
import type { AgentConfiguration } from '../db/agents/configuration.ts';
import type { Pricing } from '../db/entities/agentJson.ts';
import { resolveAgent, type ResolvedAgent } from '../db/agents/publicAgents.ts';
import type { Database } from '../db/database.ts';
import { mayRun } from '../db/keys/scopes.ts';
import type { Spender } from '../db/ledger/ledger.ts';
import { newSessionIdOf } from '../db/runs/enterSession.ts';
import { findQuote } from '../db/runs/cost/quotes.ts';
import { refuseEnded } from './endedAgent.ts';
import type { Order } from './order.ts';
import { OrderRefused } from './refused.ts';

/** The workspace and key that order and pay. */
export interface Orderer extends Spender {
  /** The agents that the key may run; null: all. */
  allowedAgents: readonly string[] | null;
  /** The scopes of the key, for the files of the order; left out for a run's own files. */
  scopes?: ReadonlySet<string>;
}

/** The sold version of a run: with other prices, or with a promised price list instead of its own. */
export interface Sold {
  agent: ResolvedAgent;
  prices?: AgentConfiguration['pricing'];
  quoted?: Pricing;
}

interface FindServices {
  db: Pick<Database, 'everywhere' | 'read'>;
  agentModels: Pick<AgentModels, 'modelOf'>;
}

/** Refuses with `agent_not_allowed`. */
export function refuseOtherAgents(by: Orderer, agent: string): void {
  if (mayRun(by, agent)) return;
  throw new OrderRefused({ reason: 'agent_not_allowed', agent, allowed: by.allowedAgents ?? [] });
}

/**
 * The version that an order names. `runId`: the id of the future run, whose new session draws between versions. Refuses with
 * `agent_not_allowed`, `agent_not_found`, `agent_taken_down`, `agent_retired`, `agent_suspended`, `model_unavailable`.
 */
export async function findAgent(
  { db, agentModels }: FindServices,
  { by, runId }: { by: Orderer; runId?: string | undefined },
  order: Pick<Order, 'agent' | 'version' | 'visibility' | 'session_id'>,
): Promise<ResolvedAgent> {
  const { agent, version, visibility } = order;
  refuseOtherAgents(by, agent);
  const sessionId = order.session_id ?? (runId === undefined ? null : newSessionIdOf(runId));
  const wanted = { agent, version: version ?? null, visibility, workspaceId: by.workspaceId, sessionId };
  const found = await resolveAgent(db.everywhere, wanted);
  if (!found) throw new OrderRefused({ reason: 'agent_not_found', agent, version });
  if (visibility === 'public') refuseEnded(found);
  if (found.suspended) throw new OrderRefused({ reason: 'agent_suspended', agent });
  if (!agentModels.modelOf(found.configuration)) throw new OrderRefused({ reason: 'model_unavailable', agent });
  return found;
}

/** The agent that another agent names: the public one, otherwise the private one of the orderer's own workspace. Refuses as `findAgent`. */
export async function findCallable(
  services: FindServices,
  by: Orderer,
  agent: string,
): Promise<{ agent: ResolvedAgent; visibility: Order['visibility'] }> {
  try {
    return { agent: await findAgent(services, { by }, { agent, visibility: 'public' }), visibility: 'public' };
  } catch (error) {
    if (!(error instanceof OrderRefused) || error.refusal.reason !== 'agent_not_found') throw error;
    return { agent: await findAgent(services, { by }, { agent, visibility: 'private' }), visibility: 'private' };
  }
}

/**
 * The ordered agent, also by a quote: the version and price list that it promises, even when another version is live now. Also refuses with
 * `quote_not_found`, `quote_expired`, `quote_mismatch`.
 */
export async function findSold(
  services: FindServices,
  { by, runId }: { by: Orderer; runId: string },
  order: Order,
): Promise<Sold> {
  const { quote_id: quoteId, version } = order;
  if (quoteId === undefined) return { agent: await findAgent(services, { by, runId }, order) };
  const quote = await findQuote(services.db.read(by.workspaceId), quoteId);
  if (!quote) throw new OrderRefused({ reason: 'quote_not_found', quoteId });
  if (quote.isExpired) throw new OrderRefused({ reason: 'quote_expired', quoteId });
  const { agent: name, versionId, visibility, rateCard: quoted } = quote;
  const agent = await findAgent(services, { by, runId }, { agent: name, version: versionId, visibility });
  // A channel may have moved since the quote, whose version counts.
  const named = version ?? releaseIn(order.agent) ?? undefined;
  const isVersion = named !== undefined && VERSION_NAME.test(named);
  const isOther = isVersion && named !== versionId && named !== agent.version;
  if (agentIn(order.agent) !== name || order.visibility !== visibility || isOther)
    throw new OrderRefused({ reason: 'quote_mismatch', agent: name });
  return { agent, quoted };
}
