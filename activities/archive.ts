import { randomUUID } from 'node:crypto';
import { Context, log } from '@temporalio/activity';
import type { ArchiveFiles } from '../db/archive/archiveFiles.ts';
import { listDueMonths } from '../db/archive/dueMonths.ts';
import type { Database } from '../db/database.ts';
import type { ArchiveResult } from '../contracts/archive.ts';

/** What the move of months needs. */
export interface ArchiveDependencies {
  db: Pick<Database, 'everywhere'>;
  /** Undefined: there is no archive. */
  archiveFiles: ArchiveFiles | undefined;
  /** How many days after its end a month moves; null: no month moves. */
  archiveAfterDays: number | null;
}

const HEARTBEAT_MS = 20_000;

/**
 * Moves the months that are due, the oldest first. Idempotent, and safe in several processes: one of them holds a month. The heartbeat tells
 * how far it is, and each step is in the log.
 */
export function createArchiveMonths({
  db,
  archiveFiles: files,
  archiveAfterDays,
}: ArchiveDependencies): () => Promise<ArchiveResult> {
  return async () => {
    const { everywhere } = db;
    const months: string[] = [];
    if (archiveAfterDays === null || !files) return { months };
    // Loaded only here: a worker without due months needs no Parquet.
    const { moveMonth } = await import('../db/archive/moveMonth.ts');
    const { heartbeat } = Context.current();
    let progress = 'begins';
    const beat = setInterval(() => heartbeat(progress), HEARTBEAT_MS);
    const onProgress = (text: string): void => {
      progress = text;
      heartbeat(text);
    };
    try {
      for (const month of await listDueMonths(everywhere, archiveAfterDays)) {
        const moved = await moveMonth({ everywhere, files, holder: randomUUID(), onProgress }, month);
        log.info('a month moves to the archive', { event: 'month_archived', month, moved });
        if (moved !== 'held') months.push(month);
      }
    } finally {
      clearInterval(beat);
    }
    return { months };
  };
}
