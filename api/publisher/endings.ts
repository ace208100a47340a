import type { z } from 'zod';
import { conflict, validationErrorAt } from '../../base/errors/requestErrors.ts';
import { resolveAgent } from '../../db/agents/publicAgents.ts';
import { deleteAgent, deleteVersion } from '../../db/publishing/deletions.ts';
import { deprecate, restore, takeDown, undeprecate, type EndingOutcome } from '../../db/publishing/endings.ts';
import { findPublisherAgent } from '../../db/publishing/publisherAgents.ts';
import { pathId } from '../body/parseWith.ts';
import { actorOf, type Context, type Handler } from '../context.ts';
import type { DeletedThing } from '../files/presentFile.ts';
import type { Services } from '../services.ts';
import { agentNotFound, submissionInReview, versionNotFound } from './errors.ts';
import type { DeprecationBody, TakeDownBody } from './lifeSchema.ts';
import { presentPublisherAgent, setDraftEtag } from './present.ts';

/** `POST /v1/publisher/agents/{agent_id}/take-down`: new orders of the public agent are refused with the message. 409 `agent_not_public`. */
export function takeDownAgent(services: Services): Handler<z.output<typeof TakeDownBody>> {
  return (ctx) => {
    const { message } = ctx.state.input;
    return end(ctx, services, (agentId, { everywhere }, workspaceId) =>
      takeDown(everywhere, workspaceId, { agentId, message, by: actorOf(ctx) }),
    );
  };
}

/** `POST /v1/publisher/agents/{agent_id}/restore`: ends a take-down. */
export function restoreAgent(services: Services): Handler {
  return (ctx) =>
    end(ctx, services, (agentId, { everywhere }, workspaceId) =>
      restore(everywhere, workspaceId, { agentId, by: actorOf(ctx) }),
    );
}

/** `POST /v1/publisher/agents/{agent_id}/deprecate`: sets its last day and its successor. 422 for a date within the notice. */
export function deprecateAgent(services: Services): Handler<z.output<typeof DeprecationBody>> {
  return async (ctx) => {
    const { sunset_at: sunsetAt, successor, message } = ctx.state.input;
    if (successor !== null) await checkSuccessor(ctx, services, successor);
    await end(ctx, services, (agentId, { everywhere }, workspaceId) =>
      deprecate(everywhere, workspaceId, {
        agentId,
        sunsetAt: new Date(sunsetAt),
        successor,
        message,
        by: actorOf(ctx),
      }),
    );
  };
}

/** `POST /v1/publisher/agents/{agent_id}/undeprecate`: ends a deprecation. */
export function undeprecateAgent(services: Services): Handler {
  return (ctx) =>
    end(ctx, services, (agentId, { everywhere }, workspaceId) =>
      undeprecate(everywhere, workspaceId, { agentId, by: actorOf(ctx) }),
    );
}

/** `DELETE /v1/publisher/agents/{agent_id}`: deletes an agent that was never public. 409 `agent_published`, `submission_in_review`. */
export function deleteDraftAgent({ db }: Services): Handler {
  return async (ctx) => {
    const agentId = pathId(ctx, 'agent_id');
    const deleted = await deleteAgent(db.write(ctx.state.key.workspaceId), { agentId, by: actorOf(ctx) });
    if (deleted === 'not_found') throw agentNotFound(agentId);
    if (deleted === 'published') throw agentPublished();
    if (deleted === 'in_review') throw submissionInReview();
    ctx.body = { id: agentId, object: 'publisher.agent', deleted: true } satisfies DeletedThing;
  };
}

/** `DELETE /v1/publisher/agent-versions/{version_id}`: deletes a version that was never submitted. 409 `version_submitted`, `version_in_use`. */
export function deleteDraftVersion({ db }: Services): Handler {
  return async (ctx) => {
    const versionId = pathId(ctx, 'version_id');
    const deleted = await deleteVersion(db.write(ctx.state.key.workspaceId), { versionId, by: actorOf(ctx) });
    if (deleted === 'not_found') throw versionNotFound(versionId);
    if (deleted === 'submitted') throw versionSubmitted(versionId);
    if (deleted === 'in_use') throw versionInUse(versionId);
    ctx.body = { id: versionId, object: 'agent.version', deleted: true } satisfies DeletedThing;
  };
}

/** Changes the agent in the path, and answers with it. */
async function end(
  ctx: Context,
  { db, agentModels }: Services,
  change: (agentId: string, db: Services['db'], workspaceId: string) => Promise<EndingOutcome>,
): Promise<void> {
  const agentId = pathId(ctx, 'agent_id');
  const { workspaceId } = ctx.state.key;
  refuse(await change(agentId, db, workspaceId), agentId);
  const agent = await findPublisherAgent(db.write(workspaceId), agentId);
  if (!agent) throw agentNotFound(agentId);
  setDraftEtag(ctx, agent.draftRevision);
  ctx.body = presentPublisherAgent(agent, agentModels);
}

function refuse(ended: EndingOutcome, agentId: string): void {
  switch (ended.outcome) {
    case 'done':
      return;
    case 'not_found':
      throw agentNotFound(agentId);
    case 'not_public':
      throw agentNotPublic();
    case 'too_early':
      throw validationErrorAt(
        ['body', 'sunset_at'],
        `Callers need their notice: ${ended.earliest.toISOString()} is the earliest time.`,
      );
    default:
      ended satisfies never;
  }
}

/** Refuses a successor that callers could not order, or that is the agent itself. */
async function checkSuccessor(ctx: Context, { db }: Services, successor: string): Promise<void> {
  const { workspaceId } = ctx.state.key;
  const wanted = { agent: successor, version: null, visibility: 'public' as const, workspaceId };
  const found = await resolveAgent(db.everywhere, wanted);
  if (!found || found.suspended || found.ending?.takenDownAt || found.ending?.isRetired)
    throw validationErrorAt(['body', 'successor'], `There is no public agent '${successor}' that takes orders.`);
  if (found.agentId === pathId(ctx, 'agent_id'))
    throw validationErrorAt(['body', 'successor'], 'An agent is not its own successor.');
}

const agentNotPublic = () =>
  conflict('agent_not_public', 'The agent is not public: nobody else can order it. Delete it instead.');

const agentPublished = () =>
  conflict(
    'agent_published',
    'The agent was public: it stays for the statements. Take it down, or deprecate it, instead.',
  );

const versionSubmitted = (id: string) =>
  conflict('version_submitted', `The version '${id}' was submitted for review: it stays for its record.`);

const versionInUse = (id: string) =>
  conflict(
    'version_in_use',
    `The version '${id}' is what private runs or a channel get. Deploy or point there another one first.`,
  );
