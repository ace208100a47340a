import { createCipheriv, createDecipheriv, createHmac, timingSafeEqual } from 'node:crypto';
import { validationErrorAt } from '../../base/errors/requestErrors.ts';

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
 * Signs and encrypts with secrets that all processes share: the first one writes, all of them read. While one version replaces another,
 * cursors of both are met.
 */
export function createCursors(secrets: () => Uint8Array[]): Cursors {
  const made = new Map<string, Signer>();
  const signersNow = () =>
    secrets().map((secret) => {
      const name = Buffer.from(secret).toString('base64');
      const signer = made.get(name) ?? createSigner(secret);
      made.set(name, signer);
      return signer;
    });
  return {
    write: (...parts) => signersNow()[0]!.write(...parts),
    read: (workspaceId, list, cursor, parameter = 'cursor') => {
      for (const signer of signersNow()) {
        const position = signer.read(workspaceId, list, cursor);
        if (position !== undefined) return position;
      }
      throw unknownCursor(parameter);
    },
  };
}

type Signer = ReturnType<typeof createSigner>;

/** A position may reveal counts across workspaces. The signature is also the initialization vector, so equal positions give equal cursors. */
function createSigner(secret: Uint8Array) {
  const sign = (...parts: string[]) =>
    createHmac('sha256', secret).update(parts.join('\n')).digest().subarray(0, SIGNATURE_BYTES);
  const key = createHmac('sha256', secret).update('encryption of cursors').digest();
  return {
    write: (workspaceId: string, list: string, position: string): string => {
      const signature = sign(workspaceId, list, position);
      return Buffer.concat([signature, createCipheriv(CIPHER, key, signature).update(position)]).toString('base64url');
    },
    /** Undefined: another secret signed it, or none. */
    read: (workspaceId: string, list: string, cursor: string): string | undefined => {
      const bytes = Buffer.from(cursor, 'base64url');
      const signature = bytes.subarray(0, SIGNATURE_BYTES);
      if (signature.length < SIGNATURE_BYTES) return undefined;
      const position = createDecipheriv(CIPHER, key, signature)
        .update(bytes.subarray(SIGNATURE_BYTES))
        .toString('utf8');
      return timingSafeEqual(signature, sign(workspaceId, list, position)) ? position : undefined;
    },
  };
}

const unknownCursor = (parameter: string) => {
  const name = parameter === 'cursor' ? 'next_cursor' : parameter;
  const msg = `Send the ${name} of the last page as it was.`;
  return validationErrorAt(['query', parameter], msg);
};
