import { catalogueDocs } from './agentDocs.ts';
import { mcpDocs, serveMcp } from '../agentCalls/mcp/mcpRoute.ts';
import { textBody, MEDIA_BODY } from '../body/body.ts';
import { fundedFirst } from '../guard/balance.ts';
import { type Keyed, scope } from '../guard/key.ts';
import { limitedByMethod } from '../guard/rate.ts';
import { query } from '../body/parseWith.ts';
import { get, post, type Route } from '../http/router.ts';
import type { Services } from '../services.ts';
import { listAgents, PublicAgentQuery, retrieveAgent, retrieveAgentQuality } from './publicAgents.ts';

/** Public agents: the catalogue, and the tools of an MCP server. */
export function agentRoutes(services: Services, keyed: Keyed): Route[] {
  const free = keyed();
  // The protocol reports its own errors in its own form.
  const message = keyed(
    scope('agents'),
    textBody((value) => value, { ...MEDIA_BODY, ...fundedFirst(services) }),
    limitedByMethod({ 'notifications/cancelled': 'steering' }),
  );
  const about = catalogueDocs(PublicAgentQuery);
  return [
    get('/v1/agents', keyed(query(PublicAgentQuery)), listAgents(services), about.listAgents),
    get('/v1/agents/:namespace/:slug', free, retrieveAgent(services), about.retrieveAgent),
    get('/v1/agents/:namespace/:slug/quality', free, retrieveAgentQuality(services), about.retrieveAgentQuality),
    post('/v1/mcp', message, serveMcp(services), mcpDocs.serveMcp),
  ];
}
