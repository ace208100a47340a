import type { Context } from '../context.ts';
import { validationError } from '../errors/requestErrors.ts';

const DIRECTORY_ETAG = /^"dir-(0|[1-9]\d{0,8})"$/;

/** The generation of the session's directories that the caller wants to change; undefined when they take any. Throws 422 for another tag. */
export function ifGenerationOf(ctx: Context): number | undefined {
  const given = ctx.get('if-match');
  if (given === '' || given === '*') return undefined;
  const match = DIRECTORY_ETAG.exec(given);
  if (match) return Number(match[1]);
  throw validationError([
    {
      loc: ['header', 'if-match'],
      msg: 'If-Match is "dir-" and the directory_generation of the listing, in double quotes.',
      type: 'value_error',
    },
  ]);
}

/** Sets the ETag of the session's directory generation. */
export function setDirectoryEtag(ctx: Context, generation: number): void {
  ctx.set('etag', `"dir-${generation}"`);
}
