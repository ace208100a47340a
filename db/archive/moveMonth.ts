import { hash } from 'node:crypto';
import type { Queryable } from '../postgres/queryable.ts';
import type { Rows } from '../postgres/rows.ts';
import type { ArchiveFiles } from './archiveFiles.ts';
import { DATASETS, type Dataset } from './datasets.ts';
import { dropMonth, recordArchive, sealMonth, type MonthProof } from '../ledger/months.ts';
import { buildManifest } from './manifest.ts';
import { dayOf, monthOf, type Month } from './months.ts';
import { verifyMonth } from './verifyMonth.ts';
import { writePart, type Part } from './writePart.ts';

/** What a move needs, and how it is watched. */
export interface Mover {
  everywhere: Rows<undefined>;
  files: ArchiveFiles;
  /** Names this process: only the holder of a month moves it. */
  holder: string;
  onProgress?: (text: string) => void;
  partRows?: number;
}

/** How a call of `moveMonth` ended. */
export type Moved = 'held' | 'archived' | 'dropped';

/** A holder that is silent for so long has died: another one continues. */
const HELD_MINUTES = 10;
const HOLD_MS = 60_000;
/** Readers that began before a month was archived have ended. */
const DROP_AFTER_MINUTES = 2;

/**
 * Moves a month to the archive, or continues: writes its files, reads all of them back, compares, and only then lets the database drop its
 * rows. A process may die anywhere: files already stored are kept, and one that was being written is written again with the same bytes.
 * `held`: another process moves it.
 * @throws if the month has not ended two days ago: nothing is noted then, because an early note would keep its later calls out.
 */
export async function moveMonth(mover: Mover, name: string): Promise<Moved> {
  const month = monthOf(name);
  await requireEnded(mover, month);
  const state = await claim(mover, month);
  if (state === undefined) return 'held';
  const holding = setInterval(() => void hold(mover, month), HOLD_MS);
  try {
    if (state === 'writing') {
      await mover.everywhere.transaction(async ({ client }) => {
        if (await isIn(client, month, 'open')) await sealMonth(client, dayOf(name));
      });
      await writeMonth(mover, month);
    }
    if (state === 'writing' || state === 'verifying') {
      const { proof } = await verifyMonth(mover, name);
      await finishMove(mover, month, proof);
    }
    const isDropped = state === 'dropped' || (await dropDue(mover, month));
    return isDropped ? 'dropped' : 'archived';
  } catch (error) {
    await mover.everywhere.statement(({ client }) =>
      client.query(FAILED, [dayOf(name), mover.holder, (error as Error).message]),
    );
    throw error;
  } finally {
    clearInterval(holding);
  }
}

async function requireEnded({ everywhere }: Mover, { month }: Month): Promise<void> {
  const { rows } = await everywhere.statement(({ client }) =>
    client.query<{ hasEnded: boolean }>(HAS_ENDED, [dayOf(month)]),
  );
  if (!rows[0]!.hasEnded) throw new Error(`the month ${month} has not ended two days ago`);
}

const HAS_ENDED = `select now() >= ($1::date + interval '1 month 2 days') at time zone 'utc' as "hasEnded"`;

type State = 'writing' | 'verifying' | 'archived' | 'dropped';

async function claim({ everywhere, holder }: Mover, { month }: Month): Promise<State | undefined> {
  const { rows } = await everywhere.statement(({ client }) =>
    client.query<{ state: State }>(CLAIM, [dayOf(month), holder]),
  );
  return rows[0]?.state;
}

/** Holds the month on. Each write makes sure of it, so that a failure here changes nothing. */
const hold = ({ everywhere, holder }: Mover, { month }: Month): Promise<void> =>
  everywhere
    .statement(({ client }) => client.query(HOLD, [dayOf(month), holder]))
    .then(
      () => undefined,
      () => undefined,
    );

const HOLD = `
update archive_moves set held_until = now() + interval '${HELD_MINUTES} minutes' where month = $1 and holder = $2`;

// A failure stays until the month has moved: the alert asks for one without a break. A process that was killed has left none.
const CLAIM = `
insert into archive_moves as m (month, holder, held_until) values ($1, $2, now() + interval '${HELD_MINUTES} minutes')
on conflict (month) do update set holder = $2, held_until = excluded.held_until,
  error = case when m.holder <> $2 then 'the process that moved it ended without a result' else m.error end
where m.holder is null or m.holder = $2 or m.held_until < now() returning state`;
const FAILED = `update archive_moves set holder = null, held_until = null, error = $3 where month = $1 and holder = $2`;

/** Whether a month's rows are in this state. Calls from before the first month are in none: they are copied, and never dropped. */
async function isIn(client: Queryable, { month }: Pick<Month, 'month'>, state: 'open' | 'sealed'): Promise<boolean> {
  const sql = 'select from ledger_months where month = $1 and state = $2';
  return (await client.query(sql, [dayOf(month), state])).rowCount === 1;
}

/** Writes the parts that are not stored yet, then the manifest. */
async function writeMonth(mover: Mover, month: Month): Promise<void> {
  const { everywhere, files, partRows } = mover;
  for (const dataset of DATASETS)
    for (;;) {
      const last = await lastPart(everywhere, month, dataset);
      if (last && last.after === null) break;
      const part = await writePart(everywhere, { dataset, ids: month, after: last?.after ?? null, partRows });
      const number = (last?.part ?? 0) + 1;
      await storePart(mover, { month, dataset, number, part: part ?? NOTHING });
      mover.onProgress?.(`${month.month}: ${dataset} part ${number}, ${part?.rows ?? 0} rows`);
    }
  const text = await buildManifest(everywhere, month);
  const key = `${folderOf(month.month)}/manifest.json`;
  await files.store.put(key, Buffer.from(text));
  const { rowCount } = await everywhere.statement(({ client }) =>
    client.query(WRITTEN, [
      dayOf(month.month),
      mover.holder,
      key,
      hash('sha256', text, 'hex'),
      Buffer.byteLength(text),
    ]),
  );
  if (rowCount === 0) throw new Error(`another process moves ${month.month}`);
}

const WRITTEN = `
update archive_moves set state = 'verifying', manifest_key = $3, manifest_sha256 = $4, manifest_bytes = $5 where month = $1 and holder = $2 and state = 'writing'`;

/** No row: the dataset is complete, with no file. */
const NOTHING: Part = { rows: 0, bytes: new Uint8Array(), between: { first: '', last: '' }, lastAt: null, after: null };

interface LastPart {
  part: number;
  after: string[] | null;
}

async function lastPart(
  everywhere: Rows<undefined>,
  { month }: Month,
  dataset: Dataset,
): Promise<LastPart | undefined> {
  const sql = 'select part, after from archive_files where month = $1 and dataset = $2 order by part desc limit 1';
  const { rows } = await everywhere.statement(({ client }) => client.query<LastPart>(sql, [dayOf(month), dataset]));
  return rows[0];
}

interface Stored {
  month: Month;
  dataset: Dataset;
  number: number;
  part: Part;
}

async function storePart(
  { everywhere, files, holder }: Mover,
  { month, dataset, number, part }: Stored,
): Promise<void> {
  const key = `${folderOf(month.month)}/${dataset}-${String(number).padStart(4, '0')}.parquet`;
  if (part.rows > 0) await files.store.put(key, part.bytes);
  const sha256 = hash('sha256', part.bytes, 'hex');
  const values = [dayOf(month.month), holder, key, dataset, number, part.rows, part.bytes.length, sha256];
  const found = [part.between.first, part.between.last, JSON.stringify(part.after), part.lastAt];
  const { rowCount } = await everywhere.statement(({ client }) => client.query(STORED, [...values, ...found]));
  if (rowCount === 0) throw new Error(`another process moves ${month.month}`);
}

/** Where the objects of a month are in the store. */
const folderOf = (month: string): string => `archive/${month}`;

// Only the holder stores, and holds the month on.
const STORED = `
with held as (
  update archive_moves set held_until = now() + interval '${HELD_MINUTES} minutes' where month = $1 and holder = $2 and state = 'writing' returning month)
insert into archive_files (month, key, dataset, part, rows, bytes, sha256, first_value, last_value, after, last_at)
select month, $3, $4, $5, $6, $7, $8, $9, $10, nullif($11::jsonb, 'null'),
  timestamptz 'epoch' + $12::bigint * interval '1 microsecond' from held on conflict (key) do nothing`;

/** From now on readers look into the archive. The files stay as they are. */
async function finishMove({ everywhere, holder }: Mover, { month }: Month, proof: MonthProof): Promise<void> {
  await everywhere.transaction(async ({ client }) => {
    const { rowCount } = await client.query(ARCHIVED, [dayOf(month), holder]);
    if (rowCount === 0) throw new Error(`another process moves ${month}`);
    if (await isIn(client, { month }, 'sealed')) await recordArchive(client, dayOf(month), proof);
  });
}

const ARCHIVED = `
update archive_moves set state = 'archived', verified_at = now(), archived_at = coalesce(archived_at, now()), error = null where month = $1 and holder = $2`;

/** Drops the rows of an archived month, some minutes after readers know of it. False: later. */
async function dropDue({ everywhere, holder }: Mover, { month }: Month): Promise<boolean> {
  return everywhere.transaction(async ({ client }) => {
    const { rows } = await client.query<{ can: boolean; due: boolean }>(DROPPABLE, [dayOf(month), holder]);
    const isDue = rows[0]?.can === true && rows[0].due;
    if (isDue) await dropMonth(client, dayOf(month));
    await client.query(RELEASED, [dayOf(month), holder, isDue]);
    return isDue;
  });
}

const DROPPABLE = `
select exists (select from ledger_months l where l.month = $1 and l.state = 'archived') as can, archived_at < now() - interval '${DROP_AFTER_MINUTES} minutes' as due
from archive_moves where month = $1 and holder = $2 and state = 'archived' for update`;
const RELEASED = `
update archive_moves set holder = null, held_until = null, error = null, state = case when $3 then 'dropped' else state end,
  dropped_at = case when $3 then now() else dropped_at end where month = $1 and holder = $2`;
