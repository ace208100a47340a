import { z } from 'zod';
import { STABLE } from '../../base/agentNames.ts';
import { conflict, notFound } from '../../base/errors/requestErrors.ts';
import { nameOf } from '../../db/publishing/callers.ts';
import { CHANNELS_MAX, moveChannel, readChannels, removeChannel, type Channel } from '../../db/publishing/channels.ts';
import {
  findPublisherAgent,
  findVersion,
  type AgentRow,
  type VersionRow,
} from '../../db/publishing/publisherAgents.ts';
import { parseWith, pathId } from '../body/parseWith.ts';
import { actorOf, type Context, type Handler } from '../context.ts';
import type { Services } from '../services.ts';
import { agentNotFound, versionNotApproved, versionNotFound, versionSuspended } from './errors.ts';
import {
  channelName,
  type ChannelAnswer,
  type ChannelBody,
  type ChannelList,
  type DeletedChannel,
} from './lifeSchema.ts';

type Answer = z.infer<typeof ChannelAnswer>;

/** `GET /v1/publisher/agents/{agent_id}/channels`: `stable` first, then the named ones. */
export function listChannels({ db }: Services): Handler {
  return async (ctx) => {
    const agentId = pathId(ctx, 'agent_id');
    const rows = db.write(ctx.state.key.workspaceId);
    const found = await readChannels(rows, agentId);
    if (!found) throw agentNotFound(agentId);
    const { agent, channels } = found;
    const stable = await stableOf(rows, agent);
    const named = channels.map((channel) => presentChannel(agent, channel));
    ctx.body = { object: 'list', data: [...(stable ? [stable] : []), ...named] } satisfies z.infer<typeof ChannelList>;
  };
}

/**
 * `PUT /v1/publisher/agents/{agent_id}/channels/{channel}`: points a channel at a version. 409 `channel_reserved` for `stable`,
 * `version_not_approved`, `version_suspended`, `too_many_channels`.
 */
export function putChannel({ db, agentModels }: Services): Handler<z.output<typeof ChannelBody>> {
  return async (ctx) => {
    const agentId = pathId(ctx, 'agent_id');
    const name = channelIn(ctx);
    const { version_id: versionId } = ctx.state.input;
    const { workspaceId } = ctx.state.key;
    if (name === STABLE) throw channelReserved();
    const order = { agentId, name, versionId, by: actorOf(ctx), costsOf: agentModels.costsOf };
    const { outcome } = await moveChannel(db.everywhere, workspaceId, order);
    if (outcome === 'not_found') throw agentNotFound(agentId);
    if (outcome === 'version_not_found') throw versionNotFound(versionId, 'version_id');
    if (outcome === 'not_approved') throw versionNotApproved(versionId);
    if (outcome === 'version_suspended') throw versionSuspended(versionId);
    if (outcome === 'too_many') throw tooManyChannels();
    const { agent, channels } = (await readChannels(db.write(workspaceId), agentId))!;
    const moved = channels.find((channel) => channel.name === name);
    // Removed in the meantime.
    if (!moved) throw channelNotFound(name);
    ctx.body = presentChannel(agent, moved);
  };
}

/** `DELETE /v1/publisher/agents/{agent_id}/channels/{channel}`: orders that name it are refused as unknown. */
export function deleteChannel({ db }: Services): Handler {
  return async (ctx) => {
    const agentId = pathId(ctx, 'agent_id');
    const name = channelIn(ctx);
    if (name === STABLE) throw channelReserved();
    const removed = await removeChannel(db.everywhere, ctx.state.key.workspaceId, { agentId, name, by: actorOf(ctx) });
    if (removed === 'not_found') throw agentNotFound(agentId);
    if (removed === 'no_channel') throw channelNotFound(name);
    ctx.body = { object: 'agent.channel', agent_id: agentId, name, deleted: true } satisfies z.infer<
      typeof DeletedChannel
    >;
  };
}

const parsePath = parseWith(z.object({ channel: channelName }), 'path');
const channelIn = ({ state: { params } }: Context): string => parsePath({ channel: params.channel }).channel;

/** The default version as a channel; undefined: the agent is not public. */
async function stableOf(rows: Parameters<typeof findVersion>[0], agent: AgentRow): Promise<Answer | undefined> {
  const found = await findPublisherAgent(rows, agent.id);
  const [live, next] = [found?.publicDeployment, found?.publicSubmission];
  const version = live && (await findVersion(rows, live.versionId));
  if (!version) return undefined;
  const isScheduled = next?.status === 'active' && next.rolloutState === 'scheduled';
  const upcoming = isScheduled ? await findVersion(rows, next.versionId) : undefined;
  return presentChannel(agent, {
    name: STABLE,
    version,
    previousVersionId: null,
    next: upcoming ? { version: upcoming, at: next!.effectiveAt! } : null,
    movedAt: live.activatedAt,
  });
}

function presentChannel(agent: AgentRow, channel: Omit<Channel, 'movedAt'> & { movedAt: Date | null }): Answer {
  const { name, version, previousVersionId, next, movedAt } = channel;
  return {
    object: 'agent.channel',
    name,
    agent: `${nameOf(agent)}@${name}`,
    agent_id: agent.id,
    ...presentVersion(version),
    previous_version_id: previousVersionId,
    status: next ? 'scheduled' : 'active',
    next: next && { ...presentVersion(next.version), active_from: next.at.toISOString() },
    moved_at: movedAt?.toISOString() ?? null,
  };
}

const presentVersion = ({ id, label, number }: VersionRow) => ({
  version_id: id,
  version: label,
  version_number: number,
});

const channelNotFound = (name: string) => notFound(`The agent has no channel '${name}'.`, 'channel_not_found');

const channelReserved = () =>
  conflict(
    'channel_reserved',
    `The channel '${STABLE}' is the default version: it moves by reviews, rollouts and rollbacks.`,
  );

const tooManyChannels = () =>
  conflict('too_many_channels', `An agent has at most ${CHANNELS_MAX} channels. Remove one that you no longer need.`);
