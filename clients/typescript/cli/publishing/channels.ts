import type { components, Ledgerline } from '../../src/index.ts';
import { say } from '../output.ts';

export type Channel = components['schemas']['AgentChannel'];

/** Points a channel of an agent at a version. */
export async function moveChannel(
  client: Ledgerline,
  agentId: string,
  name: string,
  versionId: string,
): Promise<Channel> {
  const { data } = await client.api.PUT('/v1/publisher/agents/{agent_id}/channels/{channel}', {
    params: { path: { agent_id: agentId, channel: name } },
    body: { version_id: versionId },
  });
  const channel = data;
  const { next } = channel;
  say(
    next
      ? `${channel.agent} becomes ${next.version} on ${next.active_from}: it is dearer.`
      : `${channel.agent} is ${channel.version}.`,
  );
  return channel;
}

/** The channels of an agent: `stable`, which is its public version, and the named ones. */
export async function channelsOf({ api }: Ledgerline, agentId: string): Promise<Channel[]> {
  const { data } = await api.GET('/v1/publisher/agents/{agent_id}/channels', {
    params: { path: { agent_id: agentId } },
  });
  return data.data;
}
