import { refuseUnfunded } from '../../calls/funds.ts';
import type { CallServices } from '../../calls/services.ts';
import type { Context } from '../context.ts';

/** What large bodies of paid calls ask before they are read. Small ones are validated first, as the order of the checks says. */
export const fundedFirst = (services: Pick<CallServices, 'db'>) => ({
  beforeLarge: (ctx: Context) => refuseUnfunded(ctx.state, services),
});
