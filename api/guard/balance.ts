import { refuseUnfunded } from '../../calls/funds.ts';
import type { CallServices } from '../../calls/services.ts';
import type { Context } from '../context.ts';

/** Checks the balance before a large body of a paid call is read. Small bodies are validated first, in the specified order of checks. */
export const fundedFirst = (services: Pick<CallServices, 'db'>) => ({
  beforeLarge: (ctx: Context) => refuseUnfunded(ctx.state, services),
});
