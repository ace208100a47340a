import { findPlatformWorkspaceId } from '../../db/workspaces.ts';
import { ApiError } from '../errors/apiError.ts';
import { guard, type Guard } from '../context.ts';
import type { Services } from '../services.ts';

/** Requires a key of the platform's own workspace: the scope alone does not make an operator. Throws 403 `scope_not_allowed`. */
export function operatorKey({ db }: Services): Guard {
  return guard([403], async (ctx, next) => {
    if (ctx.state.key.workspaceId === (await findPlatformWorkspaceId(db.everywhere))) return next();
    throw new ApiError({
      status: 403,
      code: 'scope_not_allowed',
      message: 'The scope operator counts only for keys of the platform’s own workspace. Use one of those.',
    });
  });
}

/** For an operator who would decide on what their own workspace publishes. */
export const ownAgent = () =>
  new ApiError({
    status: 403,
    code: 'own_agent',
    message: 'Nobody decides on agents of their own workspace. Leave it to an operator of another one.',
  });
