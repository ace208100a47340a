import { agentDocs } from './agentDocs.ts';
import type { Keyed } from '../guard/key.ts';
import { query } from '../body/parseWith.ts';
import { get, type Route } from '../http/router.ts';
import type { Services } from '../services.ts';
import { listAgents, retrieveAgent, retrieveAgentQuality } from './publicAgents.ts';
import { PublicAgentQuery } from './agentSchema.ts';

/** The catalogue of public agents. */
export function agentRoutes(services: Services, keyed: Keyed): Route[] {
  const free = keyed();
  const about = agentDocs();
  return [
    get('/v1/agents', keyed(query(PublicAgentQuery)), listAgents(services), about.listAgents),
    get('/v1/agents/:namespace/:slug', free, retrieveAgent(services), about.retrieveAgent),
    get('/v1/agents/:namespace/:slug/quality', free, retrieveAgentQuality(services), about.retrieveAgentQuality),
  ];
}
