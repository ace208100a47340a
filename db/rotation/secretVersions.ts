import { randomBytes } from 'node:crypto';
import type { Queryable } from '../postgres/queryable.ts';

/** Secrets that the database makes and keeps: `cursors` signs the cursors of lists, `accounts` cookies and second factors. */
export const SECRET_NAMES = ['accounts', 'cursors'] as const;
export type SecretName = (typeof SECRET_NAMES)[number];

// A new version signs only after every process has read it several times.
const READ_EVERY_MS = 20_000;
const SIGNS_AFTER_SECONDS = 120;
const SECRET_BYTES = 32;

export interface Version {
  version: number;
  value: Uint8Array;
  /** In milliseconds from now; below zero: it signs. */
  signsInMs: number;
  createdAt: Date | null;
}

/** All versions of a secret, newest first. Version 0 is that of the installation's first day. */
export async function readVersions(client: Queryable, name: SecretName): Promise<Version[]> {
  const { rows } = await client.query<Version>({ name: 'secret_versions', text: READ, values: [name] });
  return rows;
}

const READ = `
select version, value, (extract(epoch from signs_at - clock_timestamp()) * 1000)::float8 as "signsInMs", created_at as "createdAt"
from secret_versions where name = $1
union all select 0, value, -1e9, null from secrets where name = $1
order by version desc`;

/**
 * Adds a version, which signs in two minutes: until then every process reads it. `earlierThan`: only if the newest one is older, so that a
 * rotation that was ended in the middle, or of which there are two, adds it once. Returns whether it did.
 */
export async function addVersion(client: Queryable, name: SecretName, earlierThan: Date): Promise<boolean> {
  const values = [name, randomBytes(SECRET_BYTES), earlierThan];
  return (await client.query(ADD, values)).rowCount === 1;
}

const ADD = `
insert into secret_versions (name, version, value, signs_at)
select $1, coalesce(max(version), 0) + 1, $2, clock_timestamp() + interval '${SIGNS_AFTER_SECONDS} seconds'
from secret_versions where name = $1 having coalesce(max(created_at), '-infinity') < $3
on conflict (name, version) do nothing`;

/** Forgets the versions before the newest one. Returns them. */
export async function dropEarlier(client: Queryable, name: SecretName): Promise<number[]> {
  const { rows } = await client.query<{ version: number }>(DROP, [name]);
  return rows.map(({ version }) => version);
}

const DROP = `
with newest as (select max(version) as version from secret_versions where name = $1),
  first as (delete from secrets where name = $1 and (select version from newest) > 0 returning 0 as version),
  others as (delete from secret_versions where name = $1 and version < (select version from newest) returning version)
select version from first union all select version from others order by version`;

export type SharedSecret = Awaited<ReturnType<typeof openSecret>>;

/** A secret of the installation, read again and again: the versions that this process may meet, the signing one first. */
export async function openSecret(client: Queryable, name: SecretName, onError: (error: unknown) => void) {
  let versions = await readTimed();
  const timer = setInterval(() => void readTimed().then((read) => (versions = read), onError), READ_EVERY_MS).unref();

  async function readTimed() {
    const nowMs = performance.now();
    const read = await readVersions(client, name);
    return read.map(({ version, value, signsInMs }) => ({ version, value, signsAtMs: nowMs + signsInMs }));
  }

  return {
    versions: (): { version: number; value: Uint8Array }[] => {
      const nowMs = performance.now();
      const signing = versions.find(({ signsAtMs }) => signsAtMs <= nowMs) ?? versions.at(-1)!;
      return [signing, ...versions.filter((one) => one !== signing)];
    },
    close: (): void => clearInterval(timer),
  };
}
