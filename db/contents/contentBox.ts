import { promisify } from 'node:util';
import { deflateRaw, inflateRaw } from 'node:zlib';
import { KEY_RINGS } from '../../base/keyRings.ts';
import { openBytes, sealBytes } from '../../base/sealedBytes.ts';
import { parseSecretKeys } from '../../base/secretKeys.ts';

const VARIABLE = 'CONTENTS_KEY';
const ID_BYTES = 8;
// Far more than what is kept of one call.
const PLAIN_BYTES_MAX = 8 * 1024 * 1024;

const deflate = promisify(deflateRaw);
const inflate = promisify(inflateRaw);

/** Encrypts the contents of calls. `owner` identifies the row, so that a copy in another row cannot be decrypted. */
export interface ContentBox {
  seal(text: string, owner: string): Promise<Buffer>;
  /** Throws an error that names the missing key, or reports a changed value. */
  open(sealed: Uint8Array, owner: string): Promise<string>;
}

/**
 * The keys in a comma-separated text: the first one encrypts, later ones only decrypt what they encrypted before. As contents are kept
 * for days, an old key may go after that.
 */
export function createContentBox(text: string): ContentBox {
  const keys = parseSecretKeys(text, { variable: VARIABLE, idPurpose: KEY_RINGS[VARIABLE] });
  const byId = new Map(keys.map((key) => [key.id, key]));
  return {
    seal: async (plain, owner) => {
      const { id, bytes } = keys[0]!;
      return Buffer.concat([Buffer.from(id, 'latin1'), sealBytes(bytes, await deflate(plain), owner)]);
    },
    open: async (sealed, owner) => {
      const box = Buffer.from(sealed);
      const id = box.toString('latin1', 0, ID_BYTES);
      const key = byId.get(id);
      if (!key)
        throw new Error(`it was sealed with the key ${id}, which ${VARIABLE} does not hold: add it behind a comma`);
      const deflated = openBytes(key.bytes, box.subarray(ID_BYTES), owner);
      return (await inflate(deflated, { maxOutputLength: PLAIN_BYTES_MAX })).toString('utf8');
    },
  };
}
