import { hash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { KEY_PREFIX_CHARACTERS } from '../../base/limits.ts';
import { randomText } from '../ids.ts';

const PREFIXES = { live: 'sk_live_', test: 'sk_test_' };
const SECRET_LENGTH = 43;
const CHECKSUM_LENGTH = 6;
const SHAPE = new RegExp(`^sk_(?:live|test)_[0-9A-Za-z]{${SECRET_LENGTH + CHECKSUM_LENGTH}}$`);
const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** A new key: the prefix of its mode, 43 base62 characters (256 bits), and a checksum of both. Shown once, never stored. */
export function newKeySecret(mode: keyof typeof PREFIXES = 'live'): string {
  const body = PREFIXES[mode] + randomText(SECRET_LENGTH);
  return body + checksumOf(body);
}

/** SHA-256 of a key, hexadecimal: the stored form, used for lookup. The secret has 256 bits, so no slow hash is needed. */
export function hashKeySecret(secret: string): string {
  return hash('sha256', secret, 'hex');
}

/** Whether the checksum of a well-formed key is wrong: it was mistyped and is refused without a lookup. */
export function isMistypedKey(secret: string): boolean {
  if (!SHAPE.test(secret)) return false;
  const body = secret.slice(0, -CHECKSUM_LENGTH);
  return secret.slice(-CHECKSUM_LENGTH) !== checksumOf(body);
}

/** Whether this has the form of a key that the service made, with the right checksum. */
export const isWholeKey = (secret: string): boolean => SHAPE.test(secret) && !isMistypedKey(secret);

/** The part of a key that may be displayed later. */
export function prefixOf(secret: string): string {
  return secret.slice(0, KEY_PREFIX_CHARACTERS);
}

function checksumOf(body: string): string {
  let rest = crc32(body);
  let text = '';
  for (let position = 0; position < CHECKSUM_LENGTH; position += 1) {
    text = BASE62[rest % 62] + text;
    rest = Math.floor(rest / 62);
  }
  return text;
}
