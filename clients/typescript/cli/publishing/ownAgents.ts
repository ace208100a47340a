import type { components, Ledgerline } from '../../src/index.ts';
import { Failure } from '../failure.ts';

export type OwnAgent = components['schemas']['PublisherAgent'];
export type Version = components['schemas']['AgentVersion'];
export type Deployment = components['schemas']['Deployment'];

const PAGE_SIZE = 100;

/** The agents of the workspace, newest first. */
export const ownAgents = (client: Ledgerline): AsyncIterable<OwnAgent> =>
  client.pages('/v1/publisher/agents', { query: { limit: PAGE_SIZE } });

export const nameOf = ({ namespace, slug }: { namespace: string; slug: string }): string => `${namespace}/${slug}`;

/** An agent of the workspace by its name; undefined where it is none of the workspace's. */
export async function findOwnAgent(client: Ledgerline, name: string): Promise<OwnAgent | undefined> {
  for await (const agent of ownAgents(client)) if (nameOf(agent) === name) return agent;
  return undefined;
}

/** The same, where it has to be one. */
export async function ownAgent(client: Ledgerline, name: string): Promise<OwnAgent> {
  const found = await findOwnAgent(client, name);
  if (found) return found;
  throw new Failure(`The workspace has no agent ${name}.`, {
    hint: '`ledgerline agents` lists those it has; `ledgerline publish` creates that of a folder.',
  });
}

export async function readAgent({ api }: Ledgerline, agentId: string): Promise<OwnAgent> {
  const { data } = await api.GET('/v1/publisher/agents/{agent_id}', { params: { path: { agent_id: agentId } } });
  return data;
}

export async function readVersion({ api }: Ledgerline, versionId: string): Promise<Version> {
  const path = { version_id: versionId };
  const { data } = await api.GET('/v1/publisher/agent-versions/{version_id}', { params: { path } });
  return data;
}

/** The versions of an agent, newest first. */
export const versionsOf = (client: Ledgerline, agentId: string): AsyncIterable<Version> =>
  client.pages('/v1/publisher/agents/{agent_id}/versions', {
    path: { agent_id: agentId },
    query: { limit: PAGE_SIZE },
  });

/** The version that a person names: by its date, its id, or its number. */
export async function findVersion(client: Ledgerline, agentId: string, name: string): Promise<Version> {
  for await (const version of versionsOf(client, agentId))
    if ([version.id, version.version, String(version.number)].includes(name)) return version;
  throw new Failure(`The agent has no version ${name}.`, { hint: '`ledgerline versions` lists those it has.' });
}
