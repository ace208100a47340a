import type { InferEntity } from '@mikro-orm/core';
import { NOTICE_DAYS } from '../../base/limits.ts';
import type { AgentChannel } from '../entities/channel.ts';
import { recordEvent } from '../events/platformEvents.ts';
import type { AnyTransaction, Rows } from '../postgres/rows.ts';
import { audit, type Actor } from '../workspaces/audit.ts';
import { nameOf } from './callers.ts';
import { lockAgent, type AgentRow, type VersionRow } from './publisherAgents.ts';
import { announcePrices } from './rollout/priceNotices.ts';
import { DAY_MS, isDearerThan, timeIn, type CostsOf } from './rollout/rollout.ts';

export type ChannelRow = InferEntity<typeof AgentChannel>;

/** The maximum number of an agent's channels. */
export const CHANNELS_MAX = 20;

/** A channel with its versions, as they are now. */
export interface Channel {
  name: string;
  version: VersionRow;
  previousVersionId: string | null;
  next: { version: VersionRow; at: Date } | null;
  movedAt: Date;
}

/** The channels of an agent by name. Undefined: the workspace has no such agent. */
export function readChannels(
  rows: Rows,
  agentId: string,
): Promise<{ agent: AgentRow; channels: Channel[] } | undefined> {
  return rows.transaction(async (tx) => {
    const { em, Agent, AgentChannel, AgentVersion } = tx;
    const agent = await em.findOne(Agent, { id: agentId, deletedAt: null });
    if (!agent) return undefined;
    const found = await em.find(AgentChannel, { agentId, removedAt: null }, { orderBy: { name: 'asc' } });
    const now = await timeIn(tx, agent.workspaceId);
    const current = found.map((row) => movedBy(row, now));
    const ids = current.flatMap(({ versionId, nextVersionId }) =>
      nextVersionId ? [versionId, nextVersionId] : [versionId],
    );
    const versions = new Map((await em.find(AgentVersion, { id: ids })).map((row) => [row.id, row]));
    const channels = current.map(({ name, versionId, previousVersionId, nextVersionId, nextAt, movedAt }) => ({
      name,
      version: versions.get(versionId)!,
      previousVersionId,
      next: nextVersionId === null ? null : { version: versions.get(nextVersionId)!, at: nextAt! },
      movedAt,
    }));
    return { agent, channels };
  });
}

/** A channel after a move whose time has come. */
function movedBy(row: ChannelRow, now: Date): ChannelRow {
  if (row.nextVersionId === null || row.nextAt! > now) return row;
  const { nextVersionId: versionId, versionId: previousVersionId, nextAt } = row;
  return { ...row, versionId, previousVersionId, movedAt: nextAt!, nextVersionId: null, nextAt: null };
}

export type ChannelOutcome =
  | { outcome: 'moved' }
  | { outcome: 'not_found' | 'version_not_found' | 'not_approved' | 'version_suspended' | 'too_many' };

interface Move {
  agentId: string;
  name: string;
  versionId: string;
  by: Actor;
  costsOf?: CostsOf;
}

/**
 * Points a channel at a version, or creates it; audited, with an event. Only an approved version, of an agent that was public. A dearer
 * version waits for its notice, of which the channel's callers are told. A repetition changes nothing.
 */
export function moveChannel(everywhere: Rows<undefined>, workspaceId: string, move: Move): Promise<ChannelOutcome> {
  const { agentId, name, versionId, by, costsOf = () => ({}) } = move;
  return everywhere.transaction(async (tx): Promise<ChannelOutcome> => {
    const { em, AgentChannel } = tx;
    const agent = await lockAgent(tx, agentId);
    if (agent?.workspaceId !== workspaceId) return { outcome: 'not_found' };
    const refusal = await refusalOf(tx, { agentId, versionId });
    if (refusal) return { outcome: refusal };
    const now = await timeIn(tx, workspaceId);
    const stored = await em.findOne(AgentChannel, { agentId, name });
    const row = stored && movedBy(stored, now);
    if ((!row || row.removedAt) && (await em.count(AgentChannel, { agentId, removedAt: null })) >= CHANNELS_MAX)
      return { outcome: 'too_many' };
    const isThere = row?.removedAt === null && (row.nextVersionId ?? row.versionId) === versionId;
    if (isThere) return { outcome: 'moved' };
    // Also of a removed channel: its callers would not expect to pay more.
    const isDearer = row !== null && (await isDearerThan(tx, { agentId, versionId, than: row.versionId, costsOf }));
    const nextAt = isDearer ? new Date(now.getTime() + NOTICE_DAYS * DAY_MS) : null;
    const change = isDearer ? { nextVersionId: versionId, nextAt } : { nextVersionId: null, nextAt: null, versionId };
    const isMoved = !isDearer && row?.versionId !== versionId;
    await em.upsert(AgentChannel, {
      ...(row ?? { agentId, name, workspaceId, previousVersionId: null }),
      ...(isMoved && { previousVersionId: row?.versionId ?? null, movedAt: now }),
      versionId: row?.versionId ?? versionId,
      ...change,
      removedAt: null,
    });
    await record(tx, agent, { name, from: row?.versionId ?? null, versionId, activeFrom: nextAt, by });
    if (isDearer) {
      const channel = { name, versionId: row.versionId };
      await announcePrices(tx, { agentId, versionId, effectiveAt: nextAt }, channel);
    }
    return { outcome: 'moved' };
  }, workspaceId);
}

/** Removes a channel, audited, with an event: orders that name it find no agent. False: no such channel. */
export function removeChannel(
  everywhere: Rows<undefined>,
  workspaceId: string,
  { agentId, name, by }: Pick<Move, 'agentId' | 'name' | 'by'>,
): Promise<'removed' | 'not_found' | 'no_channel'> {
  return everywhere.transaction(async (tx) => {
    const { em, AgentChannel } = tx;
    const agent = await lockAgent(tx, agentId);
    if (agent?.workspaceId !== workspaceId) return 'not_found';
    const row = await em.findOne(AgentChannel, { agentId, name, removedAt: null });
    if (!row) return 'no_channel';
    const now = await timeIn(tx, workspaceId);
    const { versionId } = movedBy(row, now);
    await em.nativeUpdate(
      AgentChannel,
      { agentId, name },
      { versionId, nextVersionId: null, nextAt: null, removedAt: now },
    );
    await record(tx, agent, { name, from: versionId, versionId: null, activeFrom: null, by });
    return 'removed';
  }, workspaceId);
}

async function refusalOf(
  { em, AgentVersion, Deployment }: AnyTransaction,
  { agentId, versionId }: { agentId: string; versionId: string },
): Promise<'version_not_found' | 'not_approved' | 'version_suspended' | undefined> {
  if ((await em.count(AgentVersion, { id: versionId, agentId, deletedAt: null })) === 0) return 'version_not_found';
  const made = await em.find(Deployment, { agentId, activatedAt: { $ne: null } });
  const wasPublic = made.some(({ visibility }) => visibility === 'public');
  const ofVersion = made.filter((one) => one.versionId === versionId && (!wasPublic || one.visibility === 'public'));
  if (ofVersion.some(({ suspendedAt }) => suspendedAt !== null)) return 'version_suspended';
  return ofVersion.length === 0 ? 'not_approved' : undefined;
}

interface Recorded {
  name: string;
  from: string | null;
  versionId: string | null;
  activeFrom: Date | null;
  by: Actor;
}

async function record(tx: AnyTransaction, agent: AgentRow, { name, from, versionId, activeFrom, by }: Recorded) {
  const { id: agentId, workspaceId } = agent;
  const detail = {
    channel: name,
    from_version_id: from,
    version_id: versionId,
    active_from: activeFrom?.toISOString() ?? null,
  };
  await recordEvent(tx, workspaceId, {
    type: 'agent.channel_moved',
    resourceType: 'agent',
    resourceId: nameOf(agent),
    data: { agent: nameOf(agent), agent_id: agentId, ...detail },
  });
  const action = versionId === null ? 'remove_channel' : 'move_channel';
  await audit(tx, by, { workspaceId, action, subjectType: 'agent', subjectId: agentId, detail });
}
