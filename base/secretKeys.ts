import { createHash } from 'node:crypto';

const KEY_BYTES = 32;
// 32 random bytes contain about 30 different values; fewer than 16 do not occur by chance.
const DIFFERENT_BYTES_MIN = 16;

/** A secret of 32 bytes, and an id of it that may be public. */
export interface SecretKey {
  id: string;
  bytes: Buffer;
}

/**
 * The keys in a comma-separated text: the first one encrypts, later ones only decrypt older values. `idPurpose` separates the ids of keys
 * that serve different purposes.
 * @throws an error that names `variable` but not the text, which is secret.
 */
export function parseSecretKeys(text: string, { variable, idPurpose }: { variable: string; idPurpose: string }) {
  return text.split(',').map((part): SecretKey => {
    const trimmed = part.trim();
    const bytes = Buffer.from(trimmed, 'base64');
    // Buffer skips invalid base64: only an identical re-encoding shows that nothing was skipped.
    const isWhole = bytes.length === KEY_BYTES && unpadded(bytes.toString('base64')) === unpadded(trimmed);
    if (!isWhole || new Set(bytes).size < DIFFERENT_BYTES_MIN)
      throw new Error(`${variable}: must be 32 random bytes in base64, as \`openssl rand -base64 32\` prints them`);
    return { id: createHash('sha256').update(idPurpose).update(bytes).digest('hex').slice(0, 8), bytes };
  });
}

const unpadded = (text: string): string => text.replace(/=+$/, '');
