import type { KeyIds } from '../../base/keyRings.ts';
import { newId } from '../ids.ts';
import type { RowsOfAll } from '../postgres/rows.ts';

type Everywhere = RowsOfAll['everywhere'];

/** A rotation of all secrets, which goes on until nothing needs an old one. */
export interface Rotation {
  id: string;
  beganAt: Date;
  /** Since when every live process encrypts with a key, by its variable and id. */
  switched: Record<string, string>;
}

/** The rotation that goes on; null: none. */
export async function findRotation(everywhere: Everywhere): Promise<Rotation | null> {
  const open = await everywhere.statement(({ em, KeyRotation }) => em.findOne(KeyRotation, { finishedAt: null }));
  return open;
}

/** The rotation that goes on, or a new one. */
export async function openRotation(everywhere: Everywhere): Promise<Rotation> {
  // Another command may begin one at the same time.
  await everywhere.statement(({ client }) =>
    client.query('insert into key_rotations (id) values ($1) on conflict do nothing', [newId('rot')]),
  );
  return (await findRotation(everywhere))!;
}

/** Records that something holds from now on; the first time counts. */
export async function noteSwitched(everywhere: Everywhere, { id }: Rotation, what: string): Promise<void> {
  await everywhere.statement(({ client }) => client.query(NOTE, [id, what]));
}

const NOTE = `
update key_rotations set switched = jsonb_build_object($2::text, clock_timestamp()) || switched where id = $1`;

export async function finishRotation(everywhere: Everywhere, { id }: Rotation): Promise<void> {
  await everywhere.statement(({ client }) =>
    client.query('update key_rotations set finished_at = clock_timestamp() where id = $1 and finished_at is null', [
      id,
    ]),
  );
}

/** A live process, and the ids of its keys. */
export interface ProcessKeys {
  id: string;
  role: string | null;
  /** Null: of an earlier release. */
  keyIds: KeyIds | null;
}

export async function listProcessKeys(everywhere: Everywhere): Promise<ProcessKeys[]> {
  const { rows } = await everywhere.statement(({ client }) => client.query<ProcessKeys>(PROCESSES));
  return rows;
}

const PROCESSES = `
select id, role, key_ids as "keyIds" from processes
where reaped_at is null and lease_until > clock_timestamp() and id <> 'runs' order by started_at, id`;
