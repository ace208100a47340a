import type { z } from 'zod';
import { cancelErasure, findErasure, orderErasure, type ErasureRefusal } from '../../db/erasure/erasures.ts';
import { actorOf, type Context, type Handler } from '../context.ts';
import type { ApiError } from '../../base/errors/apiError.ts';
import { conflict, notFound, validationErrorAt } from '../../base/errors/requestErrors.ts';
import type { Services } from '../services.ts';
import type { WorkspaceErasure } from './erasureDocs.ts';
import type { ErasureBody } from './consoleSchema.ts';

/** `GET /console/v1/erasure`: whether the workspace will be erased, and when. */
export function retrieveErasure({ db }: Services): Handler {
  return async (ctx) => {
    const ordered = await findErasure(db.everywhere, ctx.state.key.workspaceId);
    ctx.body = {
      object: 'workspace.erasure',
      status: ordered === undefined ? 'none' : ordered.startedAt === null ? 'ordered' : 'started',
      ordered_at: ordered?.createdAt.toISOString() ?? null,
      erase_at: ordered?.dueAt.toISOString() ?? null,
    } satisfies z.infer<typeof WorkspaceErasure.schema>;
  };
}

/** `POST /console/v1/erasure`: orders it, once. The workspace's keys end at once. */
export function createErasure(services: Services): Handler<z.output<typeof ErasureBody>> {
  const { db } = services;
  return async (ctx) => {
    const { name } = ctx.state.input;
    if (name !== ctx.state.member!.workspaceName) {
      const msg = 'This is not the name of the workspace. Nothing was changed.';
      throw validationErrorAt(['body', 'name'], msg);
    }
    const { workspaceId } = ctx.state.key;
    const outcome = await orderErasure(db.everywhere, { workspaceId, by: personOf(ctx) });
    if (typeof outcome === 'string') throw refusalOf(outcome);
    await retrieveErasure(services)(ctx);
    ctx.status = 202;
  };
}

/** `DELETE /console/v1/erasure`: cancels it, unless it has begun. */
export function removeErasure(services: Services): Handler {
  const { db } = services;
  return async (ctx) => {
    const { workspaceId } = ctx.state.key;
    const outcome = await cancelErasure(db.everywhere, { workspaceId, by: personOf(ctx) });
    if (outcome !== 'cancelled') throw refusalOf(outcome);
    await retrieveErasure(services)(ctx);
  };
}

// The person's own key ends with the other keys.
const personOf = (ctx: Context) => ({ ...actorOf(ctx), keyId: null });

function refusalOf(refusal: ErasureRefusal): ApiError {
  switch (refusal) {
    case 'not_found':
      return notFound('The workspace has no erasure that could be cancelled.', 'erasure_not_found');
    case 'platform_workspace':
      return conflict('platform_workspace', 'This is the workspace of the platform itself, which cannot be erased.');
    case 'payout_open':
      return conflict('payout_open', 'A transfer of earnings is open. Wait until it is sent or rejected.');
    case 'started':
      return conflict('erasure_started', 'The erasure has begun: it cannot be cancelled any more.');
    default:
      return refusal satisfies never;
  }
}
