import type { Context } from '../context.ts';
import { ifMatchMalformed, ifMatchRequired } from './errors.ts';

const DRAFT_ETAG = /^"draft-([1-9]\d{0,8})"$/;

/** The draft revision that the caller has seen. Throws 428 without `If-Match`, 422 for anything but one draft's ETag. */
export function draftRevisionOf(ctx: Context): number {
  const given = ctx.get('if-match');
  if (given === '') throw ifMatchRequired();
  const match = DRAFT_ETAG.exec(given);
  if (!match) throw ifMatchMalformed();
  return Number(match[1]);
}

/** Tells the caller which draft they have seen. */
export function setDraftEtag(ctx: Context, revision: number): void {
  ctx.set('etag', `"draft-${revision}"`);
}
