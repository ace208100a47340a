import { defineEntity, p } from '@mikro-orm/core';

/** A month whose calls move to the archive: `writing` and `verifying`, then `archived` (in both places), then `dropped` from the database. */
export const ArchiveMove = defineEntity({
  name: 'ArchiveMove',
  tableName: 'archive_moves',
  checks: [
    {
      name: 'archive_moves_state_check',
      expression: `state in ('writing', 'verifying', 'archived', 'dropped')`,
    },
  ],
  properties: {
    /** Its first day. */
    month: p.date().primary(),
    state: p.text().$type<'writing' | 'verifying' | 'archived' | 'dropped'>().default('writing'),
    /** The process that moves it, until a time. */
    holder: p.text().strictNullable(),
    heldUntil: p.datetime().strictNullable(),
    /** Why the last try failed. */
    error: p.text().strictNullable(),
    startedAt: p.datetime().defaultRaw('now()'),
    verifiedAt: p.datetime().strictNullable(),
    archivedAt: p.datetime().strictNullable(),
    droppedAt: p.datetime().strictNullable(),
    manifestKey: p.text().strictNullable(),
    manifestSha256: p.text().name('manifest_sha256').strictNullable(),
    manifestBytes: p.integer().strictNullable(),
  },
});

/** A stored file of a month. */
export const ArchiveFile = defineEntity({
  name: 'ArchiveFile',
  tableName: 'archive_files',
  uniques: [{ name: 'archive_files_part_unique', properties: ['month', 'dataset', 'part'] }],
  properties: {
    /** Of the object in the store. */
    key: p.text().primary(),
    month: p.date(),
    dataset: p.text(),
    part: p.integer(),
    rows: p.integer(),
    bytes: p.bigint(),
    sha256: p.text().name('sha256'),
    /** The smallest and the largest workspace or account in it. */
    firstValue: p.text(),
    lastValue: p.text(),
    /** When the last of its calls was settled, or of its entries posted; null: not known. */
    lastAt: p.datetime().strictNullable(),
    /** Where the next part begins; null: it is the last one. */
    after: p.json().$type<string[]>().strictNullable(),
    createdAt: p.datetime().defaultRaw('now()'),
  },
});
