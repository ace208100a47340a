import { NAMESPACES_MAX } from '../../base/limits.ts';
import { findNamespace, isReservedName } from '../../db/agents/namespaces.ts';
import { insertAgent, updateDraft } from '../../db/publishing/publisherAgents.ts';
import { findPublisherAgent, listPublisherAgents, type PublisherAgent } from '../../db/publishing/publisherAgents.ts';
import { listAgentFeedback } from '../../db/runs/feedback.ts';
import type { Context, Handler } from '../context.ts';
import { pathId } from '../body/parseWith.ts';
import type { Services } from '../services.ts';
import {
  agentExists,
  agentNotFound,
  draftRevisionMismatch,
  namespaceTaken,
  reservedName,
  tooManyNamespaces,
  unknownModel,
} from './errors.ts';
import { answerPage, type PageInput } from '../http/page.ts';
import { draftRevisionOf, setDraftEtag, presentFeedbackOfCaller, presentPublisherAgent } from './present.ts';
import type { DraftInput, NewAgentInput } from './publisherSchema.ts';
import type { Configuration } from './publisherAnswers.ts';
import type { z } from 'zod';

/** `POST /v1/publisher/agents`: creates an agent with its first draft. 409 `namespace_taken`, `too_many_namespaces`, `agent_exists`. */
export function createAgent(services: Services): Handler<NewAgentInput> {
  const { db, agentModels } = services;
  return async (ctx) => {
    const { workspaceId } = ctx.state.key;
    const { namespace, slug, ...draft } = ctx.state.input;
    refuseUnknownModel(agentModels, draft);
    if (isReservedName(namespace) && !(await findNamespace(db.read(workspaceId), namespace)))
      throw reservedName(namespace);
    const agentId = ctx.state.resourceId;
    const made = await insertAgent(db.write(workspaceId), { agentId, namespace, slug, draft });
    if (made.outcome === 'namespace_taken') throw namespaceTaken(namespace);
    if (made.outcome === 'too_many_namespaces') throw tooManyNamespaces(NAMESPACES_MAX);
    if (made.outcome === 'agent_exists') throw agentExists(`${namespace}/${slug}`);
    ctx.status = 201;
    answer(ctx, services, made.agent);
  };
}

/** `GET /v1/publisher/agents/{agent_id}`: the agent, with the ETag of its draft. */
export function retrieveAgent(services: Services): Handler {
  return async (ctx) => answer(ctx, services, await readPublisherAgent(ctx, services.db));
}

/** `GET /v1/publisher/agents/{agent_id}/draft`: the draft, with its ETag. */
export function retrieveDraft({ db }: Services): Handler {
  return async (ctx) => {
    const { draft, draftRevision } = await readPublisherAgent(ctx, db);
    setDraftEtag(ctx, draftRevision);
    ctx.body = draft satisfies z.infer<typeof Configuration>;
  };
}

/** `PATCH /v1/publisher/agents/{agent_id}/draft`: replaces members of the draft that `If-Match` names. 412 if it has changed since. */
export function patchDraft(services: Services): Handler<DraftInput> {
  const { db, agentModels } = services;
  return async (ctx) => {
    refuseUnknownModel(agentModels, ctx.state.input);
    const agentId = pathId(ctx, 'agent_id');
    const { workspaceId } = ctx.state.key;
    const revision = draftRevisionOf(ctx);
    const changed = await updateDraft(db.write(workspaceId), {
      agentId,
      revision,
      draft: ctx.state.input,
    });
    if (changed.outcome === 'not_found') throw agentNotFound(agentId);
    if (changed.outcome === 'stale') throw draftRevisionMismatch(changed.revision);
    answer(ctx, services, changed.agent);
  };
}

/** `GET /v1/publisher/agents`: the workspace's agents, newest first, in pages. */
export function listAgents({ db, cursors, agentModels }: Services): Handler<PageInput> {
  return (ctx) =>
    answerPage(ctx, cursors, {
      list: 'publisher.agents',
      read: async (page) => {
        const { agents, hasMore } = await listPublisherAgents(db.read(ctx.state.key.workspaceId), page);
        return { rows: agents, hasMore };
      },
      present: (agent) => presentPublisherAgent(agent, agentModels),
    });
}

/** `GET /v1/publisher/agents/{agent_id}/feedback`: callers' feedback on it, newest first, anonymous. */
export function listFeedback({ db, cursors }: Services): Handler<PageInput> {
  return async (ctx) => {
    const agentId = pathId(ctx, 'agent_id');
    await readPublisherAgent(ctx, db);
    const agent = { agentId, publisherWorkspaceId: ctx.state.key.workspaceId };
    await answerPage(ctx, cursors, {
      list: `feedback ${agentId}`,
      read: (page) => listAgentFeedback(db.everywhere, agent, page),
      present: presentFeedbackOfCaller,
    });
  };
}

// The model affects the price, so a draft must name an existing model.
function refuseUnknownModel({ choices }: Services['agentModels'], { model }: DraftInput): void {
  if (!model || choices.some(({ id }) => id === model)) return;
  throw unknownModel(choices.map(({ id }) => id));
}

/** The publisher's agent in the path. Throws 404 `agent_not_found`. */
export async function readPublisherAgent(ctx: Context, db: Services['db']): Promise<PublisherAgent> {
  const agentId = pathId(ctx, 'agent_id');
  const agent = await findPublisherAgent(db.read(ctx.state.key.workspaceId), agentId);
  if (!agent) throw agentNotFound(agentId);
  return agent;
}

function answer(ctx: Context, { agentModels }: Services, agent: PublisherAgent): void {
  setDraftEtag(ctx, agent.draftRevision);
  ctx.body = presentPublisherAgent(agent, agentModels);
}
