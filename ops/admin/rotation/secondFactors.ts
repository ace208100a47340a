import type { RowsOfAll } from '../../../db/postgres/rows.ts';
import type { Version } from '../../../db/rotation/secretVersions.ts';

type Everywhere = RowsOfAll['everywhere'];

/** How many second factors are encrypted with each version of the secret of accounts. */
export async function countSecondFactors(everywhere: Everywhere): Promise<Record<string, number>> {
  const { rows } = await everywhere.statement(({ client }) => client.query<{ version: string; count: number }>(COUNT));
  return Object.fromEntries(rows.map(({ version, count }) => [version, count]));
}

// What the accounts library encrypts begins with `$ba$`, the version and `$`; without these it is of version 0.
const COUNT = `
select case when one like '$ba$%' then split_part(one, '$', 3) else '0' end as version, count(*)::int as count
from two_factors, unnest(array[secret, backup_codes]) one group by 1`;

/** Encrypts second factors with the newest version. Returns how many it changed. */
export async function moveSecondFactors(everywhere: Everywhere, versions: Version[]): Promise<number> {
  const { symmetricDecrypt, symmetricEncrypt } = await import('better-auth/crypto');
  const hexOf = ({ value }: Version) => Buffer.from(value).toString('hex');
  const newest = versions[0]!.version;
  const first = versions.find(({ version }) => version === 0);
  const key = {
    keys: new Map(versions.map((one) => [one.version, hexOf(one)])),
    currentVersion: newest,
    ...(first && { legacySecret: hexOf(first) }),
  };
  const isDue = (one: string) => !one.startsWith(`$ba$${newest}$`);
  const again = async (data: string) =>
    isDue(data) ? symmetricEncrypt({ key, data: await symmetricDecrypt({ key, data }) }) : data;
  const rows = await everywhere.statement(({ em, TwoFactor }) => em.find(TwoFactor, {}));
  let moved = 0;
  for (const { id, secret, backupCodes } of rows.filter((row) => isDue(row.secret) || isDue(row.backupCodes))) {
    const sealed = { secret: await again(secret), backupCodes: await again(backupCodes) };
    // One that is made again meanwhile keeps its new secret.
    moved += await everywhere.statement(({ em, TwoFactor }) =>
      em.nativeUpdate(TwoFactor, { id, secret, backupCodes }, sealed),
    );
  }
  return moved;
}
