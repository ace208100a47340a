import type { z } from 'zod';
import { readContent, removeContent, removeContentsOfKey } from '../../db/contents/contents.ts';
import { notFound } from '../../base/errors/requestErrors.ts';
import { findRequest } from '../../db/accounting/requests.ts';
import { actorOf, type Context, type Handler } from '../context.ts';
import { seenBy } from '../guard/projects.ts';
import { seenKey } from '../keys/managedKeys.ts';
import { namedRequest } from '../requests/requests.ts';
import type { Services } from '../services.ts';
import type { DeletedContent, DeletedContents, RequestContent } from './contentSchema.ts';

/** `GET /platform/v1/requests/{request_id}/content`: what it was asked and answered. Throws 404 `content_not_found`. */
export function retrieveContent(services: Services): Handler {
  const { db, contents } = services;
  return async (ctx) => {
    const requestId = await seenRequest(ctx, services);
    await contents.written();
    const order = { requestId, by: actorOf(ctx) };
    const found = contents.box && (await readContent(db.write(ctx.state.key.workspaceId), contents.box, order));
    if (!found) throw contentNotFound(requestId);
    const { text, createdAt, expiresAt } = found;
    ctx.body = {
      id: requestId,
      object: 'request.content',
      ...(JSON.parse(text) as Kept),
      created_at: createdAt.toISOString(),
      expires_at: expiresAt.toISOString(),
    } satisfies z.infer<typeof RequestContent>;
  };
}

type Kept = Pick<z.infer<typeof RequestContent>, 'ended' | 'request' | 'answer' | 'is_truncated'>;

/** `DELETE /platform/v1/requests/{request_id}/content`. Throws 404 `content_not_found`. */
export function deleteContent(services: Services): Handler {
  const { db, contents } = services;
  return async (ctx) => {
    const id = await seenRequest(ctx, services);
    await contents.written();
    if (!(await removeContent(db.write(ctx.state.key.workspaceId), id, actorOf(ctx)))) throw contentNotFound(id);
    ctx.body = { id, object: 'request.content', deleted: true } satisfies z.infer<typeof DeletedContent>;
  };
}

/** `DELETE /platform/v1/keys/{key_id}/contents`: those of all its calls until now. Throws 404 `key_not_found`. */
export function deleteContentsOfKey(services: Services): Handler {
  const { db, contents } = services;
  return async (ctx) => {
    const id = await seenKey(ctx, services);
    await contents.written();
    const deleted = await removeContentsOfKey(db.write(ctx.state.key.workspaceId), id, actorOf(ctx));
    if (deleted === undefined) throw notFound(`No key with the id '${id}'.`, 'key_not_found');
    ctx.body = { id, object: 'api_key.contents', deleted } satisfies z.infer<typeof DeletedContents>;
  };
}

/** The id of the request in the path. Throws 404 for a request of a project that the caller does not see. */
async function seenRequest(ctx: Context, { db }: Services): Promise<string> {
  const { requestId } = namedRequest(ctx);
  const { key } = ctx.state;
  if (key.seesProjects) {
    await Promise.all([db.ledger.posted(), db.refusals.written()]);
    if (!(await findRequest(seenBy(db, key), requestId))) throw contentNotFound(requestId);
  }
  return requestId;
}

const contentNotFound = (id: string) =>
  notFound(
    `Nothing is kept of the request '${id}': its key keeps no contents, it was not a kind of call that is kept, or its days have passed.`,
    'content_not_found',
  );
