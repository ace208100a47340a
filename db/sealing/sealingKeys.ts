import { hkdfSync, randomBytes } from 'node:crypto';
import { KEY_RINGS } from '../../base/keyRings.ts';
import { openBytes, sealBytes } from '../../base/sealedBytes.ts';
import { parseSecretKeys, type SecretKey } from '../../base/secretKeys.ts';

const FORMAT = 'v1';
const KEY_BYTES = 32;

/** Keys that encrypt credentials before they are stored. */
export interface SealingKeys {
  /** Encrypts a text with the first key. `owner` identifies the row, so that a copy in another row cannot be decrypted. */
  seal(text: string, owner: string): string;
  /** Throws an error that names the missing key, or reports a changed value. */
  open(sealed: string, owner: string): string;
  /** Whether the first key encrypted this value. */
  isCurrent(sealed: string): boolean;
  /** 32 secret bytes for another purpose from each key, in the order of the keys. */
  derive(purpose: string): { id: string; bytes: Buffer }[];
}

/** A new key, in the format of the variable `PLUGIN_SECRETS_KEY`. */
export const createSealingKey = (): string => randomBytes(KEY_BYTES).toString('base64');

/**
 * The keys in a comma-separated text: the first one encrypts, later ones only decrypt older values.
 * @throws an error without the text, which is secret.
 */
export const parseSealingKeys = (text: string): SealingKeys =>
  sealingKeysOf(text, {
    variable: 'PLUGIN_SECRETS_KEY',
    idPurpose: KEY_RINGS.PLUGIN_SECRETS_KEY,
    again: 'register the plugin again',
  });

/** The same for the keys of the catalogue's upstreams, which the API opens too. */
export const parseCatalogKeys = (text: string): SealingKeys =>
  sealingKeysOf(text, {
    variable: 'CATALOG_SECRETS_KEY',
    idPurpose: KEY_RINGS.CATALOG_SECRETS_KEY,
    again: 'state the secret again',
  });

/** Told of a value that stays under a key which nobody has any more, as a sentence. */
export type OnLeft = (left: string) => void;

/** A value under the first key. Undefined: no key opens it, of which the reason is told. */
export function resealed(
  keys: SealingKeys,
  { sealed, owner }: { sealed: string; owner: string },
  onLeft: OnLeft,
): string | undefined {
  try {
    return keys.seal(keys.open(sealed, owner), owner);
  } catch (error) {
    onLeft((error as Error).message);
    return undefined;
  }
}

function sealingKeysOf(text: string, named: { variable: string; idPurpose: string; again: string }): SealingKeys {
  const keys = parseSecretKeys(text, named);
  const byId = new Map(keys.map((key) => [key.id, key]));
  const current = keys[0]!;
  return {
    seal: (plain, owner) =>
      [FORMAT, current.id, sealBytes(current.bytes, plain, owner).toString('base64url')].join('.'),
    open: (sealed, owner) => {
      const key = byId.get(keyIdOf(sealed));
      if (key) return open(key, sealed, owner, named.again);
      throw new Error(
        `it was sealed with the key ${keyIdOf(sealed)}, which ${named.variable} does not hold: ` +
          `add that key behind a comma, or ${named.again}`,
      );
    },
    isCurrent: (sealed) => keyIdOf(sealed) === current.id,
    derive: (purpose) =>
      keys.map(({ id, bytes }) => ({ id, bytes: Buffer.from(hkdfSync('sha256', bytes, '', purpose, KEY_BYTES)) })),
  };
}

const keyIdOf = (sealed: string): string => sealed.split('.')[1] ?? 'unknown';

function open({ id, bytes }: SecretKey, sealed: string, owner: string, again: string): string {
  const box = Buffer.from(sealed.split('.')[2] ?? '', 'base64url');
  try {
    return openBytes(bytes, box, owner).toString('utf8');
  } catch (cause) {
    throw new Error(`it is not what the key ${id} sealed: ${again}`, { cause });
  }
}
