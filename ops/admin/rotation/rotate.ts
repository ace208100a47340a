import { resealToolSecrets } from '../../../db/agents/toolSecrets.ts';
import { resealAuditExports } from '../../../db/auditExports/auditExports.ts';
import { rotateBillKeyOnce } from '../../../db/bill/signingKeys.ts';
import type { Database } from '../../../db/database.ts';
import { moveUpstreamKeys } from '../../../db/liveCatalog/moveKeys.ts';
import { sealPlugins } from '../../../db/plugins/plugins.ts';
import { resealPluginSecrets } from '../../../db/plugins/pluginSecrets.ts';
import { resealSignIns } from '../../../db/plugins/pluginSignIns.ts';
import { moveContents } from '../../../db/rotation/moveContents.ts';
import { noteSwitched, openRotation, type Rotation } from '../../../db/rotation/rotation.ts';
import { addVersion, readVersions, SECRET_NAMES } from '../../../db/rotation/secretVersions.ts';
import type { OnLeft, SealingKeys } from '../../../db/sealing/sealingKeys.ts';
import { openSecretBox } from '../../../db/sealing/secretBox.ts';
import { moveProviderSecrets } from '../../../db/singleSignOn/providers.ts';
import { resealSecrets } from '../../../db/webhooks/endpoints.ts';
import type { AdminConfig, Rings } from '../config.ts';
import { withTemporal } from '../temporal.ts';
import { moveSecondFactors } from './secondFactors.ts';
import { historiesOf, schedulesOf } from './status.ts';
import { moveSchedules } from './temporal.ts';

/** What is noted at the end. */
export const COMPLETE = 'complete';

/**
 * Moves everything to the newest keys, secret by secret. Each step does only what is left, so that a command that was killed is repeated. The
 * caller has made sure that every live process holds the new keys. What no key opens stays, and is told of: it must not stop the rest.
 */
export async function rotateAll(db: Database, config: AdminConfig, onLeft: OnLeft): Promise<void> {
  const rings = config.rings();
  const rotation = await openRotation(db.everywhere);
  if (rings.plugins) await movePlugins(db, rings.plugins, rotation, onLeft);
  if (rings.catalog) await moveCatalog(db, rings.catalog, onLeft);
  if (rings.contents) await moveContents(db, { box: rings.contents, keyId: rings.keyIds.CONTENTS_KEY![0]! }, onLeft);
  await moveTemporal(db, config, rings, rotation);
  for (const name of SECRET_NAMES) await addVersion(db.pool, name, rotation.beganAt);
  await moveAccounts(db);
  await noteSwitched(db.everywhere, rotation, COMPLETE);
}

/** What PLUGIN_SECRETS_KEY seals: its worker's box too. */
async function movePlugins(
  { everywhere }: Database,
  keys: SealingKeys,
  { beganAt }: Rotation,
  onLeft: OnLeft,
): Promise<void> {
  await rotateBillKeyOnce(everywhere, keys, beganAt);
  await sealPlugins(everywhere, keys, { isRotation: true, onLeft });
  // Publishes the first key: from now on the API seals for it.
  const box = await openSecretBox(everywhere, keys);
  await resealSecrets(everywhere, box);
  await resealPluginSecrets(everywhere, box);
  await resealSignIns(everywhere, box);
  await resealToolSecrets(everywhere, box);
  await resealAuditExports(everywhere, box);
}

/** What CATALOG_SECRETS_KEY seals, which the API opens. */
async function moveCatalog({ everywhere }: Database, keys: SealingKeys, onLeft: OnLeft): Promise<void> {
  await moveUpstreamKeys(everywhere, keys, onLeft);
  await moveProviderSecrets(everywhere, keys, onLeft);
}

// Histories cannot be written again: Temporal forgets them. Schedules can.
async function moveTemporal(
  { everywhere }: Database,
  config: AdminConfig,
  { keyIds }: Rings,
  rotation: Rotation,
): Promise<void> {
  const [current, ...older] = keyIds.TEMPORAL_PAYLOAD_KEY ?? [];
  if (current === undefined || older.length === 0) return;
  await noteSwitched(everywhere, rotation, historiesOf(current));
  if (rotation.switched[schedulesOf(current)] !== undefined) return;
  await withTemporal(config.temporal, moveSchedules);
  await noteSwitched(everywhere, rotation, schedulesOf(current));
}

/** Second factors wait until every process can read the new version. */
async function moveAccounts({ pool, everywhere }: Database): Promise<void> {
  const versions = await readVersions(pool, 'accounts');
  if (versions.length > 1 && versions[0]!.signsInMs <= 0) await moveSecondFactors(everywhere, versions);
}
