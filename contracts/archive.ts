/** The schedule that moves closed months to the archive, and the workflow that it starts. */
export const ARCHIVE_SCHEDULE_ID = 'archive-months';
export const ARCHIVE_WORKFLOW = 'archiveMonths';

/** The months that were archived or dropped. */
export type ArchiveResult = { months: string[] };
