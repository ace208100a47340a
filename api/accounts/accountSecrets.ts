import type { SharedSecret } from '../../db/rotation/secretVersions.ts';

type Versions = Pick<SharedSecret, 'versions'>;

/** The secrets that sign cookies, as the accounts library takes them: the first one signs. */
export const cookieSecretsOf = (secret: Versions): string[] => secret.versions().map(({ value }) => hexOf(value));

/**
 * The library's options: the first secret signs and encrypts, the others only decrypt. What was encrypted before the first rotation names no
 * version: `secret` decrypts it.
 */
export function secretsOf(shared: Versions): { secret?: string; secrets?: { version: number; value: string }[] } {
  const versions = shared.versions().map(({ version, value }) => ({ version, value: hexOf(value) }));
  const first = versions.find(({ version }) => version === 0);
  const legacy = first && { secret: first.value };
  return versions.length === 1 && legacy ? legacy : { ...legacy, secrets: versions };
}

const hexOf = (value: Uint8Array): string => Buffer.from(value).toString('hex');
