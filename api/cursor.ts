import { validationError } from './errors.ts';

const BYTES_MAX = 200;

/**
 * Where the next page of a list starts, for the caller to send back. It is not signed, because nothing depends on it: a query takes
 * the workspace from the key, so a made-up cursor only moves its maker within their own list. It names the workspace so that one
 * from another is refused instead of being misread.
 */
export function cursorOf(workspaceId: string, position: bigint): string {
  return Buffer.from(`${workspaceId} ${position}`).toString('base64url');
}

/** The position in a cursor of this workspace. Throws 422 `validation_error` for anything else. */
export function positionOf(workspaceId: string, cursor: string): bigint {
  const text = Buffer.from(cursor.slice(0, BYTES_MAX), 'base64url').toString('utf8');
  const [owner, position, ...rest] = text.split(' ');
  // 18 digits fit the database's integers.
  if (owner === workspaceId && position && /^\d{1,18}$/.test(position) && rest.length === 0) return BigInt(position);
  throw validationError([
    { loc: ['query', 'cursor'], msg: 'Send the next_cursor of the last page as it was.', type: 'value_error' },
  ]);
}
