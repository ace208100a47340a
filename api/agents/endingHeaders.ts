import type { AgentEnding } from '../../db/agents/endings.ts';
import { successorLink } from '../../orders/errors.ts';
import type { Context } from '../context.ts';

/** Sets the headers of a deprecated agent in an answer: `Deprecation` (RFC 9745), `Sunset` (RFC 8594), and the successor as a `Link` (RFC 5829). */
export function setEndingHeaders(ctx: Context, ending: AgentEnding | null | undefined): void {
  if (!ending?.deprecatedAt) return;
  const { deprecatedAt, sunsetAt, successor } = ending;
  ctx.set('deprecation', `@${Math.floor(new Date(deprecatedAt).getTime() / 1000)}`);
  ctx.set('sunset', new Date(sunsetAt!).toUTCString());
  if (successor !== null) ctx.set('link', successorLink(successor));
}
