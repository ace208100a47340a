import { createHmac, timingSafeEqual } from 'node:crypto';
import { validationError } from '../errors/requestErrors.ts';

const SIGNATURE_BYTES = 16;

/** Cursors that only this installation can have made: for one workspace's one list. */
export interface Cursors {
  /** Where the next page starts, for the caller to send back. */
  write(workspaceId: string, list: string, position: string): string;
  /**
   * The position in a cursor. Throws 422 `validation_error`, which names the parameter, for one that was made up, or for another list or
   * workspace.
   */
  read(workspaceId: string, list: string, cursor: string, parameter?: string): string;
}

/** Signs with a secret that all processes of the installation share. */
export function createCursors(secret: Uint8Array): Cursors {
  const sign = (...parts: string[]) =>
    createHmac('sha256', secret).update(parts.join('\n')).digest().subarray(0, SIGNATURE_BYTES);
  return {
    write: (workspaceId, list, position) =>
      Buffer.concat([sign(workspaceId, list, position), Buffer.from(position)]).toString('base64url'),
    read: (workspaceId, list, cursor, parameter = 'cursor') => {
      const bytes = Buffer.from(cursor, 'base64url');
      const position = bytes.subarray(SIGNATURE_BYTES).toString('utf8');
      const signature = bytes.subarray(0, SIGNATURE_BYTES);
      if (signature.length === SIGNATURE_BYTES && timingSafeEqual(signature, sign(workspaceId, list, position)))
        return position;
      throw unknownCursor(parameter);
    },
  };
}

const unknownCursor = (parameter: string) => {
  const name = parameter === 'cursor' ? 'next_cursor' : parameter;
  const msg = `Send the ${name} of the last page as it was.`;
  return validationError([{ loc: ['query', parameter], msg, type: 'value_error' }]);
};
