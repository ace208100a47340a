import type { Refusals } from '../db/accounting/refusals.ts';
import { modelNameIn } from './body/body.ts';
import type { Context } from './context.ts';
import { asApiError } from '../calls/errors/asApiError.ts';
import { elapsedMsOf } from '../calls/caller.ts';

/**
 * Records why a call was refused, so that its caller can look it up. A request without a valid key has no workspace and is not recorded.
 * Reads of the platform's and the console's data do not count as calls: a page or a poller would fill the list with them.
 */
export function keepRefusal(refusals: Refusals, ctx: Context): void {
  const { key, log, requestId, route, member } = ctx.state;
  if (!key || log.cancelled || !('error' in log)) return;
  const model = modelOf(ctx);
  if (member ? model === null : ctx.method === 'GET' && ctx.path.startsWith('/platform/')) return;
  const { status, code, message } = asApiError(log.error, requestId);
  refusals.keep({
    id: requestId,
    workspaceId: key.workspaceId,
    keyId: key.keyId,
    route,
    model,
    status,
    code,
    message,
    durationMs: elapsedMsOf(ctx.state),
  });
}

/** The model or agent that a call named, as far as its body was read. */
function modelOf({ state: { log, input } }: Context): string | null {
  return log.model ?? log.asked ?? modelNameIn(input) ?? null;
}
