import { findVersion, readVersions, type ListedVersion } from '../../db/publishing/publisherAgents.ts';
import type { Handler } from '../context.ts';
import { pathId } from '../body/parseWith.ts';
import type { Services } from '../services.ts';
import { differencesOf } from './differences.ts';
import { agentNotFound, versionNotFound } from './errors.ts';
import { presentVersion } from './present.ts';
import { answerPage, type PageInput } from '../http/page.ts';
import type { VersionDiff } from './publisherAnswers.ts';
import type { z } from 'zod';

/** `GET /v1/publisher/agent-versions/{version_id}`: one frozen version. */
export function retrieveVersion({ db }: Services): Handler {
  return async (ctx) => {
    const version = await read(db, ctx.state.key.workspaceId, pathId(ctx, 'version_id'));
    ctx.body = presentVersion(version);
  };
}

/** `GET /v1/publisher/agents/{agent_id}/versions`: the versions, newest first. */
export function listVersions({ db, cursors }: Services): Handler<PageInput> {
  return (ctx) => {
    const rows = db.read(ctx.state.key.workspaceId);
    const agentId = pathId(ctx, 'agent_id');
    return answerPage(ctx, cursors, {
      list: `versions of ${agentId}`,
      read: async ({ after, limit }) => {
        const page = await readVersions(rows, { agentId, before: after === null ? null : Number(after), limit });
        if (!page) throw agentNotFound(agentId);
        const { versions, hasMore } = page;
        return { rows: versions, next: hasMore ? String(versions.at(-1)!.number) : null };
      },
      present: presentVersion,
    });
  };
}

/** `GET /v1/publisher/agents/{agent_id}/versions/{a}/diff/{b}`: the changes from one version to the other. */
export function diffVersions({ db }: Services): Handler {
  return async (ctx) => {
    const { workspaceId } = ctx.state.key;
    const agentId = pathId(ctx, 'agent_id');
    const from = await read(db, workspaceId, pathId(ctx, 'a'), agentId);
    const to = await read(db, workspaceId, pathId(ctx, 'b'), agentId);
    ctx.body = {
      object: 'agent.version.diff',
      agent_id: agentId,
      from_version_id: from.id,
      to_version_id: to.id,
      changes: differencesOf(from.configuration, to.configuration),
    } satisfies z.infer<typeof VersionDiff>;
  };
}

async function read(db: Services['db'], workspaceId: string, id: string, agentId?: string): Promise<ListedVersion> {
  const version = await findVersion(db.read(workspaceId), id);
  if (!version || (agentId !== undefined && version.agentId !== agentId)) throw versionNotFound(id);
  return version;
}
