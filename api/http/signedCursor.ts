import { createCipheriv, createDecipheriv, createHmac, timingSafeEqual } from 'node:crypto';
import { validationError } from '../../base/errors/requestErrors.ts';

const SIGNATURE_BYTES = 16;
const CIPHER = 'aes-256-ctr';

/** Cursors that only this installation can create, each for one workspace's list. */
export interface Cursors {
  /** The cursor of the next page. */
  write(workspaceId: string, list: string, position: string): string;
  /**
   * The position in a cursor. Throws 422 `validation_error`, which names the parameter, for a forged cursor, or a cursor of another list or
   * workspace.
   */
  read(workspaceId: string, list: string, cursor: string, parameter?: string): string;
}

/**
 * Signs and encrypts with a secret that all processes share, because a position may reveal counts across workspaces. The signature is also
 * the initialization vector, so equal positions give equal cursors.
 */
export function createCursors(secret: Uint8Array): Cursors {
  const sign = (...parts: string[]) =>
    createHmac('sha256', secret).update(parts.join('\n')).digest().subarray(0, SIGNATURE_BYTES);
  const key = createHmac('sha256', secret).update('encryption of cursors').digest();
  return {
    write: (workspaceId, list, position) => {
      const signature = sign(workspaceId, list, position);
      return Buffer.concat([signature, createCipheriv(CIPHER, key, signature).update(position)]).toString('base64url');
    },
    read: (workspaceId, list, cursor, parameter = 'cursor') => {
      const bytes = Buffer.from(cursor, 'base64url');
      const signature = bytes.subarray(0, SIGNATURE_BYTES);
      if (signature.length < SIGNATURE_BYTES) throw unknownCursor(parameter);
      const position = createDecipheriv(CIPHER, key, signature)
        .update(bytes.subarray(SIGNATURE_BYTES))
        .toString('utf8');
      if (timingSafeEqual(signature, sign(workspaceId, list, position))) return position;
      throw unknownCursor(parameter);
    },
  };
}

const unknownCursor = (parameter: string) => {
  const name = parameter === 'cursor' ? 'next_cursor' : parameter;
  const msg = `Send the ${name} of the last page as it was.`;
  return validationError([{ loc: ['query', parameter], msg, type: 'value_error' }]);
};
