import { randomUUID } from 'node:crypto';
import { type ArchiveFiles, openArchiveFiles } from '../../db/archive/archiveFiles.ts';
import { listArchivedMonths } from '../../db/archive/dueMonths.ts';
import { moveMonth } from '../../db/archive/moveMonth.ts';
import { verifyMonth } from '../../db/archive/verifyMonth.ts';
import { type AdminCommand, type Input, tableOf, UsageError } from './command.ts';

export const archiveStatusCommand: AdminCommand = {
  words: 'archive status',
  summary: 'Lists the months of calls, and how far each is in the archive. Exit code 1 after a failure.',
  async run({ db }) {
    const months = await listArchivedMonths(db.everywhere);
    const rows = months.map(({ month, state, files, rows: count, bytes, error }) => [
      month,
      state ?? 'in the database',
      String(files),
      String(count),
      String(bytes),
      error ?? '',
    ]);
    return {
      text: tableOf([['MONTH', 'STATE', 'FILES', 'ROWS', 'BYTES', 'FAILURE'], ...rows]),
      json: months,
      hasFailed: months.some(({ error }) => error !== null),
    };
  },
};

export const archiveRunCommand: AdminCommand = {
  words: 'archive run',
  summary: 'Moves a closed month (YYYY-MM) to the archive now, or continues. Can be ended and repeated.',
  arguments: '<month>',
  async run({ db, config }, _values, [month]) {
    const files = filesOf(config);
    const moved = await moveMonth({ everywhere: db.everywhere, files, holder: randomUUID() }, checked(month));
    const said = {
      held: 'Another process moves it, or was killed less than ten minutes ago: repeat the command then. See `archive status`.',
      archived: 'It is in the archive, and verified. Its rows are dropped from the database by a later run.',
      dropped: 'It is in the archive, and its rows are no longer in the database.',
    };
    return { text: `${month}: ${said[moved]}`, json: { month, moved }, hasFailed: moved === 'held' };
  },
};

export const archiveVerifyCommand: AdminCommand = {
  words: 'archive verify',
  summary: 'Reads an archived month (YYYY-MM) back and compares it with its manifest and the signed days.',
  arguments: '<month>',
  async run({ db, config }, _values, [month]) {
    const found = await verifyMonth({ everywhere: db.everywhere, files: filesOf(config) }, checked(month));
    const { files, bytes, calls, entries, days, proof: _proof } = found;
    return {
      text: `${month}: ${files} files (${bytes} bytes), ${calls} calls and ${entries} entries are as signed on ${days} days of accounts.`,
      json: { month, files, bytes, calls, entries, days },
    };
  },
};

function filesOf({ archiveStore }: Input['config']): ArchiveFiles {
  if (archiveStore) return openArchiveFiles(archiveStore);
  throw new Error('Set ARCHIVE_FOLDER or FILES_S3_URL, here and for the API and the worker.');
}

function checked(month: string | undefined): string {
  if (month !== undefined && /^\d{4}-(0[1-9]|1[0-2])$/.test(month)) return month;
  throw new UsageError('The month must be written as YYYY-MM.');
}
