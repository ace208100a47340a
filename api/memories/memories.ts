import type { z } from 'zod';
import { notFound, validationErrorAt } from '../../base/errors/requestErrors.ts';
import {
  findMemory,
  readMemories,
  removeMemories,
  removeMemory,
  type KeptMemory,
} from '../../db/memories/keptMemories.ts';
import { pathId } from '../body/parseWith.ts';
import { actorOf, type Context, type Handler } from '../context.ts';
import { seenBy } from '../guard/projects.ts';
import { answerPage } from '../http/page.ts';
import type { Services } from '../services.ts';
import type {
  DeletedMemories,
  DeletedMemory,
  MemoryAnswer,
  MemoryDeletionQuery,
  MemoryListQuery,
} from './memorySchema.ts';

/** `GET /v1/memories`: newest first. */
export function listMemories({ db, cursors }: Services): Handler<z.output<typeof MemoryListQuery>> {
  return (ctx) => {
    const { agent, user: endUser, query: words } = ctx.state.input;
    if (words !== undefined && endUser === undefined) throw needsUser();
    return answerPage(ctx, cursors, {
      list: `memories ${JSON.stringify([agent, endUser, words])}`,
      read: (page) => readMemories(seenBy(db, ctx.state.key), { agent, endUser, words, ...page }),
      present,
    });
  };
}

const needsUser = () => validationErrorAt(['query', 'query'], 'Memories are searched for one user: send user.');

/** `GET /v1/memories/{memory_id}`. Throws 404 `memory_not_found`. */
export function retrieveMemory(services: Services): Handler {
  return async (ctx) => {
    ctx.body = present(await seenMemory(ctx, services));
  };
}

/** `DELETE /v1/memories/{memory_id}`. Throws 404 `memory_not_found`. */
export function deleteMemory(services: Services): Handler {
  return async (ctx) => {
    const { id } = await seenMemory(ctx, services);
    const rows = services.db.write(ctx.state.key.workspaceId);
    if (!(await removeMemory(rows, id, actorOf(ctx)))) throw memoryNotFound(id);
    ctx.body = { id, object: 'memory', deleted: true } satisfies z.infer<typeof DeletedMemory>;
  };
}

/** `DELETE /v1/memories?user=`: all of a user, of one agent or of all. */
export function deleteMemories({ db }: Services): Handler<z.output<typeof MemoryDeletionQuery>> {
  return async (ctx) => {
    const { user, agent } = ctx.state.input;
    const { workspaceId, seesProjects } = ctx.state.key;
    const order = { endUser: user, ...(agent && { agent }), projectIds: seesProjects, by: actorOf(ctx) };
    const deleted = await removeMemories(db.write(workspaceId), order);
    ctx.body = { object: 'memory.deletion', user, agent: agent ?? null, deleted } satisfies z.infer<
      typeof DeletedMemories
    >;
  };
}

async function seenMemory(ctx: Context, { db }: Services): Promise<KeptMemory> {
  const id = pathId(ctx, 'memory_id');
  const memory = await findMemory(seenBy(db, ctx.state.key), id);
  if (!memory) throw memoryNotFound(id);
  return memory;
}

const memoryNotFound = (id: string) => notFound(`No memory with the id '${id}'.`, 'memory_not_found');

function present(memory: KeptMemory): z.infer<typeof MemoryAnswer> {
  return {
    id: memory.id,
    object: 'memory',
    agent: memory.agent,
    user: memory.endUser,
    project_id: memory.projectId,
    text: memory.text,
    run_id: memory.runId,
    created_at: memory.createdAt.toISOString(),
    updated_at: memory.updatedAt.toISOString(),
    expires_at: memory.expiresAt?.toISOString() ?? null,
  };
}
