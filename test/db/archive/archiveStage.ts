import { Client } from 'pg';
import { createArchive } from '../../../db/archive/archive.ts';
import { openArchiveFiles } from '../../../db/archive/archiveFiles.ts';
import { moveMonth } from '../../../db/archive/moveMonth.ts';
import { signDays } from '../../../db/bill/signDays.ts';
import { openDatabase } from '../../../db/database.ts';
import type { Archive } from '../../../db/postgres/archive.ts';
import { accountIdOf, fill, workspaceIdOf } from '../../../ops/bench/growth/fill.ts';
import { daysFromNow, sealingKeys } from '../../support/billDays.ts';
import { makeDatabase, ownerUrlOf } from '../../support/database.ts';
import { makeFolder } from '../../support/folder.ts';
import { readMonths } from '../../support/months.ts';

/** The workspace with 500 calls in ninety days, and its account. */
export const OWN = { workspaceId: workspaceIdOf(0), accountId: accountIdOf(0) };

/** The month that ended so many months ago, `YYYY-MM`: 1 is the last one. */
export function monthAgo(ago: number): string {
  const now = new Date();
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - ago)).toISOString().slice(0, 7);
}

/** A database with calls of ninety days, all signed, and an empty archive in a folder. `prepare` runs as the tables' owner. */
export async function setArchive({ calls, prepare }: { calls: number; prepare?: (owner: Client) => Promise<unknown> }) {
  const folder = await makeFolder();
  const database = await makeDatabase();
  const owner = new Client({ connectionString: ownerUrlOf(database.url) });
  await owner.connect();
  await fill(owner, calls, () => {});
  await prepare?.(owner);
  await owner.end();
  const files = openArchiveFiles({ folder: folder.path });
  const open = { url: database.url, spends: false, onError: () => {} };
  const db = await openDatabase({ ...open, archive: createArchive(files) });
  await signDays(db.everywhere, sealingKeys, { now: daysFromNow(0) });
  const mover = { everywhere: db.everywhere, files, holder: 'one' };
  const known = (await readMonths(db.everywhere)).map(({ month }) => month.slice(0, 7));

  /** Moves all months up to one that are not moved, and drops their rows. */
  async function moveUpTo(last: string): Promise<void> {
    for (let month = known[0]; month !== undefined && month <= last; month = known[0]) {
      await moveMonth(mover, month);
      await db.pool.query(`update archive_moves set archived_at = now() - interval '3 minutes'`);
      const moved = await moveMonth(mover, month);
      if (moved !== 'dropped') throw new Error(`${month} is ${moved}`);
      known.shift();
    }
  }

  return {
    db,
    url: database.url,
    folder: folder.path,
    files,
    mover,
    moveUpTo,
    /** The same database in a process with another archive, or with none. */
    openWith: (archive: Archive | undefined) => openDatabase({ ...open, archive }),
    close: async (): Promise<void> => {
      await db.close();
      await database.drop();
      await folder.remove();
    },
  };
}
