import { randomBytes } from 'node:crypto';
import type { SealedSecret } from '../entities/webhook.ts';
import type { AnyRows } from '../postgres/rows.ts';
import { resealForWorker, sealForWorker, type SecretOpener } from './secretBox.ts';

/** How long a rotated secret still signs. */
export const ROTATION_HOURS = 24;
// Each signs every delivery or call.
const SECRETS_MAX = 5;

/** A new signing secret, and its form that only the worker can open. Undefined when no worker has published a key yet. */
export async function makeSigningSecret(
  rows: AnyRows,
  owner: string,
): Promise<{ secret: string; sealed: string } | undefined> {
  const secret = `whsec_${randomBytes(32).toString('base64')}`;
  const sealed = await sealForWorker(rows, secret, owner);
  return sealed === undefined ? undefined : { secret, sealed };
}

/** The currently signing secrets. */
export const liveSecrets = (secrets: SealedSecret[]): SealedSecret[] =>
  secrets.filter(({ expiresAt }) => expiresAt === null || Date.parse(expiresAt) > Date.now());

/** The secrets after a rotation: the new one, and the earlier ones, which also sign for a day: until `expiresAt`, in ISO 8601. */
export function rotatedSecrets(
  earlier: SealedSecret[],
  sealed: string,
): { secrets: SealedSecret[]; expiresAt: string } {
  const expiresAt = new Date(Date.now() + ROTATION_HOURS * 3_600_000).toISOString();
  const live = liveSecrets(earlier).map((one) => ({ ...one, expiresAt: one.expiresAt ?? expiresAt }));
  return { secrets: [{ sealed, expiresAt: null }, ...live].slice(0, SECRETS_MAX), expiresAt };
}

/** The live secrets under the worker's first key. Undefined: none was sealed for another of its keys, and they stay as they are. */
export async function resealedSecrets(
  rows: AnyRows,
  box: SecretOpener,
  { secrets, owner }: { secrets: SealedSecret[]; owner: string },
): Promise<SealedSecret[] | undefined> {
  const live = liveSecrets(secrets);
  const renewed: (string | undefined)[] = [];
  for (const { sealed } of live) renewed.push(await resealForWorker(rows, box, { sealed, owner }));
  if (!renewed.some(Boolean)) return undefined;
  return live.map((one, at) => ({ ...one, sealed: renewed[at] ?? one.sealed }));
}
