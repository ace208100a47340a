import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import { deflateRaw, inflateRaw } from 'node:zlib';
import { KEY_RINGS } from '../../base/keyRings.ts';
import { parseSecretKeys, type SecretKey } from '../../base/secretKeys.ts';

const VARIABLE = 'CONTENTS_KEY';
const CIPHER = 'aes-256-gcm';
const ID_BYTES = 8;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
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
    seal: async (plain, owner) => seal(keys[0]!, await deflate(plain), owner),
    open: async (sealed, owner) => {
      const box = Buffer.from(sealed);
      const id = box.toString('latin1', 0, ID_BYTES);
      const key = byId.get(id);
      if (!key)
        throw new Error(`it was sealed with the key ${id}, which ${VARIABLE} does not hold: add it behind a comma`);
      const plain = await inflate(open(key, box.subarray(ID_BYTES), owner), { maxOutputLength: PLAIN_BYTES_MAX });
      return plain.toString('utf8');
    },
  };
}

function seal({ id, bytes }: SecretKey, plain: Buffer, owner: string): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, bytes, nonce).setAAD(Buffer.from(owner));
  const encrypted = Buffer.concat([cipher.update(plain), cipher.final()]);
  return Buffer.concat([Buffer.from(id, 'latin1'), nonce, cipher.getAuthTag(), encrypted]);
}

function open({ bytes }: SecretKey, box: Buffer, owner: string): Buffer {
  const decipher = createDecipheriv(CIPHER, bytes, box.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.from(owner)).setAuthTag(box.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
  return Buffer.concat([decipher.update(box.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]);
}
