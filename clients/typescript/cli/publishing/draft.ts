import type { Ledgerline } from '../../src/index.ts';
import type { AgentFolder } from '../agentFolder/readFolder.ts';
import { changedMembers, completed, type Configuration } from '../agentFolder/members.ts';
import { iconFileOf } from './files.ts';
import { findOwnAgent, nameOf, type OwnAgent } from './ownAgents.ts';

/** A folder as the service has it. */
export interface SentDraft {
  agent: OwnAgent;
  /** The `ETag` of the draft. */
  etag: string;
  configuration: Configuration;
  /** `created`, or the members that were not as in the folder. */
  changed: 'created' | string[];
}

/** Makes the draft of an agent what a folder says, and creates the agent when the workspace does not have it. */
export async function sendDraft(client: Ledgerline, folder: AgentFolder): Promise<SentDraft> {
  const { namespace, slug } = folder;
  const agent = await findOwnAgent(client, nameOf(folder));
  if (agent) return changeDraft(client, folder, agent);
  const configuration = completed({ ...folder.configuration, ...(await iconFileOf(client, folder, null)) });
  const { data } = await client.api.POST('/v1/publisher/agents', { body: { namespace, slug, ...configuration } });
  return { agent: data, etag: etagOf(data), configuration, changed: 'created' };
}

async function changeDraft(client: Ledgerline, folder: AgentFolder, agent: OwnAgent): Promise<SentDraft> {
  const { api } = client;
  const path = { agent_id: agent.id };
  const { data: draft, response } = await api.GET('/v1/publisher/agents/{agent_id}/draft', { params: { path } });
  const etag = response.headers.get('etag') ?? etagOf(agent);
  const icon = await iconFileOf(client, folder, draft.icon_file_id);
  const configuration = completed({ ...folder.configuration, ...icon });
  const changed = changedMembers(draft, configuration);
  if (changed.length === 0) return { agent, etag, configuration, changed };
  const header = { 'If-Match': etag };
  const { data } = await api.PATCH('/v1/publisher/agents/{agent_id}/draft', {
    params: { path, header },
    body: configuration,
  });
  return { agent: data, etag: etagOf(data), configuration, changed };
}

const etagOf = ({ draft_revision: revision }: OwnAgent): string => `"draft-${revision}"`;
