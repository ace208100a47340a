import { body } from '../body/body.ts';
import { parseWith, query } from '../body/parseWith.ts';
import { idempotent } from '../guard/idempotency.ts';
import { scope, type Keyed } from '../guard/key.ts';
import { get, patch, post, remove, type Route } from '../http/router.ts';
import type { Services } from '../services.ts';
import { agentAlertDocs } from './agentAlertDocs.ts';
import {
  changePublisherAlert,
  createPublisherAlert,
  deletePublisherAlert,
  listPublisherAlerts,
  retrievePublisherAlert,
} from './agentAlerts.ts';
import { AgentAlertChangeBody, AgentAlertsQuery, NewAgentAlertBody } from './agentAlertSchema.ts';

/** The routes of publishers' alerts on their agents. */
export function agentAlertRoutes(services: Services, keyed: Keyed): Route[] {
  const publisher: Keyed = (...checks) => keyed(scope('publisher'), ...checks);
  const [all, one] = ['/v1/publisher/alerts', '/v1/publisher/alerts/:agent_alert_id'];
  const creation = publisher(body(parseWith(NewAgentAlertBody, 'body')), idempotent(services.db, 'aal'));
  const change = publisher(body(parseWith(AgentAlertChangeBody, 'body')));
  return [
    get(all, publisher(query(AgentAlertsQuery)), listPublisherAlerts(services), agentAlertDocs.list),
    post(all, creation, createPublisherAlert(services), agentAlertDocs.create),
    get(one, publisher(), retrievePublisherAlert(services), agentAlertDocs.retrieve),
    patch(one, change, changePublisherAlert(services), agentAlertDocs.change),
    remove(one, publisher(), deletePublisherAlert(services), agentAlertDocs.remove),
  ];
}
