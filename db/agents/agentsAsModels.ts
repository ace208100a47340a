import type { AnyRows } from '../postgres/rows.ts';
import { IS_LISTED, IS_PUBLIC } from './publicAgents.ts';
import { TAKES_ORDERS } from './endings.ts';
import { namespacesFor, shownNamespaceSql } from './namespaces.ts';
import type { AgentConfiguration } from './configuration.ts';

/** What a list of models shows of a public agent. */
export interface AgentAsModel {
  /** `<namespace>/<slug>` */
  id: string;
  namespace: string;
  versionId: string;
  configuration: AgentConfiguration;
  subsidised: boolean;
  activatedAt: Date;
}

/** The most agents that a list of models has: it has no pages. */
const AGENTS_MAX = 1_000;

/** The public agents that take orders, by name, or the one with this name, which a test workspace finds among its own, too. */
export async function readAgentsAsModels(
  rows: AnyRows,
  { workspaceId, name }: { workspaceId: string; name?: string },
): Promise<AgentAsModel[]> {
  const [namespace = '', slug = ''] = name?.split('/') ?? [];
  const values =
    name === undefined ? [AGENTS_MAX] : [AGENTS_MAX, namespacesFor(namespace, workspaceId), slug, workspaceId];
  const which =
    name === undefined ? IS_LISTED : `a.namespace = any ($2) and a.slug = $3 and (${IS_LISTED} or a.workspace_id = $4)`;
  const order = name === undefined ? 'a.namespace, a.slug' : 'array_position($2::text[], a.namespace)';
  const text = `${SELECT} and ${which} order by ${order} limit $1`;
  return (await rows.statement(({ client }) => client.query<AgentAsModel>(text, values))).rows;
}

// Raw: the ORM cannot join tables whose entities refer to each other only by id.
const SELECT = `
select ${shownNamespaceSql('a.namespace')} || '/' || a.slug as id, ${shownNamespaceSql('a.namespace')} as namespace, v.id as "versionId",
  v.configuration, a.subsidised_at is not null as subsidised, d.activated_at as "activatedAt"
from deployments d join agents a on a.id = d.agent_id join agent_versions v on v.id = d.version_id
where ${IS_PUBLIC} and ${TAKES_ORDERS}`;
