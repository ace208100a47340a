import { KEY_RINGS, type KeyIds, type RingName } from '../../../base/keyRings.ts';
import type { Database } from '../../../db/database.ts';
import { findRotation, type Rotation } from '../../../db/rotation/rotation.ts';
import { countSealed, type SealedCount } from '../../../db/rotation/sealedRows.ts';
import { readVersions, SECRET_NAMES, type SecretName, type Version } from '../../../db/rotation/secretVersions.ts';
import type { AdminConfig } from '../config.ts';
import { withTemporal } from '../temporal.ts';
import { countSecondFactors } from './secondFactors.ts';
import { countBefore } from './temporal.ts';

/** How far the rotation of one secret has come. */
export interface SecretStatus {
  /** Its variable, or the name of one that the database keeps. */
  secret: string;
  /** The id of the key that encrypts, or the version that signs. */
  current: string;
  older: string[];
  /** Values under the current key, and under each older one. */
  counts: Record<string, number>;
  /** Why the older ones cannot go yet, as sentences. */
  needs: string[];
}

const CURSOR_HOURS = 24;
const HOUR_MS = 3_600_000;

/** What was noted for a key of Temporal: its processes encrypt with it, and its schedules are written again. */
export const historiesOf = (keyId: string): string => `TEMPORAL_PAYLOAD_KEY ${keyId}`;
export const schedulesOf = (keyId: string): string => `schedules ${keyId}`;

/** The state of every secret, in the order of the rotation. */
export async function readStatus(db: Database, config: AdminConfig): Promise<SecretStatus[]> {
  const { everywhere } = db;
  const { keyIds } = config.rings();
  const [rotation, counts] = [await findRotation(everywhere), await countSealed(everywhere)];
  const rings: SecretStatus[] = [];
  for (const variable of Object.keys(KEY_RINGS) as RingName[]) {
    const status = ringStatusOf(variable, keyIds, counts);
    if (!status) continue;
    if (variable === 'TEMPORAL_PAYLOAD_KEY') status.needs.push(...(await needsOfHistories(status, rotation, config)));
    rings.push(status);
  }
  const versions: SecretStatus[] = [];
  for (const name of SECRET_NAMES) versions.push(await versionStatusOf(db, name));
  return [...rings, ...versions];
}

function ringStatusOf(variable: RingName, keyIds: KeyIds, all: SealedCount[]): SecretStatus | undefined {
  const counts = all.filter((one) => one.variable === variable);
  const found = new Set([...(keyIds[variable] ?? []), ...counts.flatMap(({ byKey }) => Object.keys(byKey))]);
  const current = keyIds[variable]?.[0];
  if (found.size === 0) return undefined;
  const older = [...found].filter((id) => id !== current);
  const needs = counts.flatMap(({ what, byKey }) =>
    older.filter((id) => byKey[id]).map((id) => `${variable} ${id}: it sealed ${byKey[id]} ${what}`),
  );
  if (current === undefined)
    needs.unshift(`${variable}: it is not set for this command, but the database has values of it`);
  const countOf = (id: string) => counts.reduce((sum, { byKey }) => sum + (byKey[id] ?? 0), 0);
  return {
    secret: variable,
    current: current ?? '-',
    older,
    counts: Object.fromEntries([...found].map((id) => [id, countOf(id)])),
    needs,
  };
}

async function needsOfHistories(
  { current, older, counts }: SecretStatus,
  rotation: Rotation | null,
  config: AdminConfig,
): Promise<string[]> {
  if (older.length === 0) return [];
  const since = rotation?.switched[historiesOf(current)];
  const old = `TEMPORAL_PAYLOAD_KEY ${older.join(', ')}`;
  if (since === undefined) return [`${old}: keys rotate has not run since ${current} was put first`];
  const isWritten = rotation?.switched[schedulesOf(current)] !== undefined;
  const left = await withTemporal(config.temporal, (client) => countBefore(client, since));
  for (const id of older) counts[id] = left;
  return [
    ...(isWritten ? [] : [`${old}: schedules are not written again yet`]),
    ...(left > 0
      ? [`${old}: Temporal keeps ${left} workflows from before ${since}; ended ones go with its retention`]
      : []),
  ];
}

async function versionStatusOf(db: Database, name: SecretName): Promise<SecretStatus> {
  const versions = await readVersions(db.pool, name);
  const [newest, ...older] = versions as [Version, ...Version[]];
  const sealed = name === 'accounts' ? await countSecondFactors(db.everywhere) : {};
  const secret = name === 'accounts' ? 'sign-in' : 'cursors';
  const old = `${secret} ${older.map(({ version }) => version).join(', ')}`;
  const needs: string[] = [];
  if (older.length > 0) {
    if (newest.signsInMs > 0)
      needs.push(`${old}: version ${newest.version} signs in ${Math.ceil(newest.signsInMs / 1000)} s`);
    const held = older.reduce((sum, { version }) => sum + (sealed[version] ?? 0), 0);
    if (held > 0) needs.push(`${old}: it encrypted ${held} secrets of second factors`);
    needs.push(...(await needsOfTokens(db, name, newest)).map((need) => `${old}: ${need}`));
  }
  const countOf = ({ version }: Version): [string, number] => [String(version), sealed[version] ?? 0];
  return {
    secret,
    current: String(newest.version),
    older: older.map(({ version }) => String(version)),
    counts: Object.fromEntries(versions.map(countOf)),
    needs,
  };
}

/** Who may still bring something that an older version signed. */
async function needsOfTokens(db: Database, name: SecretName, { signsInMs }: Version): Promise<string[]> {
  if (name === 'cursors') {
    const hours = Math.ceil((signsInMs + CURSOR_HOURS * HOUR_MS) / HOUR_MS);
    return hours > 0 ? [`lists that began before may go on for ${hours} hours`] : [];
  }
  const { rows } = await db.pool.query<{ sessions: number }>(SESSIONS, [signsInMs]);
  const { sessions } = rows[0]!;
  return sessions > 0 ? [`${sessions} sessions have cookies that it signed, for ${SESSION_DAYS} days at most`] : [];
}

const SESSION_DAYS = 14;
const SESSIONS = `
select count(*)::int as sessions from user_sessions
where expires_at > now() and updated_at < clock_timestamp() + $1 * interval '1 millisecond'`;
