import { findPlatformWorkspaceId } from '../../db/workspaces/workspaces.ts';
import { ApiError } from '../../base/errors/apiError.ts';
import { guard, type Context, type Guard } from '../context.ts';
import type { Services } from '../services.ts';

/** Requires an operator's session or a key of the platform's own workspace, in addition to the scope. Throws 403 `scope_not_allowed`. */
export function operatorKey({ db }: Services): Guard {
  return guard([403], async (ctx, next) => {
    if (await isOfPlatform(db, ctx)) return next();
    throw new ApiError({
      status: 403,
      code: 'scope_not_allowed',
      message: 'The scope operator counts only for keys of the platform’s own workspace. Use one of those.',
    });
  });
}

const isOfPlatform = async (db: Services['db'], { state: { key, member } }: Context): Promise<boolean> =>
  member?.isOperator === true || key.workspaceId === (await findPlatformWorkspaceId(db.everywhere));

/** Whether the caller may see what operators see. */
export const isOperator = async ({ db }: Pick<Services, 'db'>, ctx: Context): Promise<boolean> =>
  ctx.state.key.scopes.has('operator') && isOfPlatform(db, ctx);

/** An operator must not decide on an agent of their own workspace. */
export const ownAgent = () =>
  new ApiError({
    status: 403,
    code: 'own_agent',
    message:
      'Operators cannot decide on agents of their own workspace. Ask an operator of another workspace: ' +
      '`npm run admin -- operator EMAIL` makes one.',
  });
