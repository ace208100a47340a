import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';

const CIPHER = 'aes-256-gcm';
const FORMAT = 'v1';
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
// 32 random bytes hold about 30 different ones; fewer than 16 do not come by chance.
const DIFFERENT_BYTES_MIN = 16;
const ADVICE = 'PLUGIN_SECRETS_KEY: must be 32 random bytes in base64, as `openssl rand -base64 32` prints them';

/** Keys that credentials are encrypted with before they are stored. */
export interface SealingKeys {
  /** Encrypts a text with the first key. `owner` names the row it belongs to: a copy in another row cannot be read. */
  seal(text: string, owner: string): string;
  /** Throws a sentence that names the missing key, or says that the value was changed. */
  open(sealed: string, owner: string): string;
  /** Whether the first key sealed this value. */
  isCurrent(sealed: string): boolean;
}

/** A new key, as the variable `PLUGIN_SECRETS_KEY` takes it. */
export const createSealingKey = (): string => randomBytes(KEY_BYTES).toString('base64');

/**
 * The keys in a text: the first one seals, those after it, with commas between, only open what they sealed earlier.
 * @throws a sentence without the text, which is secret.
 */
export function parseSealingKeys(text: string): SealingKeys {
  const keys = text.split(',').map((part) => keyOf(part.trim()));
  const byId = new Map(keys.map((key) => [key.id, key]));
  const current = keys[0]!;
  return {
    seal: (plain, owner) => seal(current, plain, owner),
    open: (sealed, owner) => {
      const key = byId.get(keyIdOf(sealed));
      if (key) return open(key, sealed, owner);
      throw new Error(
        `it was sealed with the key ${keyIdOf(sealed)}, which PLUGIN_SECRETS_KEY does not hold: add that key behind a comma, or register the plugin again`,
      );
    },
    isCurrent: (sealed) => keyIdOf(sealed) === current.id,
  };
}

interface Key {
  id: string;
  bytes: Buffer;
}

function keyOf(text: string): Key {
  const bytes = Buffer.from(text, 'base64');
  // Buffer skips what is no base64: only the same text again shows that nothing was skipped.
  const isWhole = bytes.length === KEY_BYTES && bytes.toString('base64').replace(/=+$/, '') === text.replace(/=+$/, '');
  if (!isWhole || new Set(bytes).size < DIFFERENT_BYTES_MIN) throw new Error(ADVICE);
  const id = createHash('sha256').update('plugin secrets key id').update(bytes).digest('hex').slice(0, 8);
  return { id, bytes };
}

const keyIdOf = (sealed: string): string => sealed.split('.')[1] ?? 'unknown';

function seal({ id, bytes }: Key, text: string, owner: string): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, bytes, nonce).setAAD(Buffer.from(owner));
  const encrypted = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  const box = Buffer.concat([nonce, cipher.getAuthTag(), encrypted]);
  return [FORMAT, id, box.toString('base64url')].join('.');
}

function open({ id, bytes }: Key, sealed: string, owner: string): string {
  const box = Buffer.from(sealed.split('.')[2] ?? '', 'base64url');
  try {
    const decipher = createDecipheriv(CIPHER, bytes, box.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES });
    decipher.setAAD(Buffer.from(owner)).setAuthTag(box.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
    return Buffer.concat([decipher.update(box.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]).toString('utf8');
  } catch (cause) {
    throw new Error(`it is not what the key ${id} sealed: register the plugin again`, { cause });
  }
}
