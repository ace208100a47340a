import { findPlatformWorkspaceId } from '../../db/workspaces/workspaces.ts';
import { ApiError } from '../../base/errors/apiError.ts';
import { guard, type Guard } from '../context.ts';
import type { Services } from '../services.ts';

/** Requires an operator's session or a key of the platform's own workspace, in addition to the scope. Throws 403 `scope_not_allowed`. */
export function operatorKey({ db }: Services): Guard {
  return guard([403], async (ctx, next) => {
    if (ctx.state.member?.isOperator) return next();
    if (ctx.state.key.workspaceId === (await findPlatformWorkspaceId(db.everywhere))) return next();
    throw new ApiError({
      status: 403,
      code: 'scope_not_allowed',
      message: 'The scope operator counts only for keys of the platform’s own workspace. Use one of those.',
    });
  });
}

/** An operator must not decide on an agent of their own workspace. */
export const ownAgent = () =>
  new ApiError({
    status: 403,
    code: 'own_agent',
    message: 'Operators cannot decide on agents of their own workspace. Ask an operator of another workspace.',
  });
