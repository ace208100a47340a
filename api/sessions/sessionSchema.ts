import { z } from 'zod';
import { pageQuery } from '../http/page.ts';
import { metadata } from '../../orders/order.ts';
import { state } from '../../orders/stateOfOrder.ts';

export const NewSessionBody = z.strictObject({
  title: z.string().max(200).optional(),
  metadata: metadata.optional(),
  state: state.optional(),
});

export const SessionListQuery = z.strictObject({
  ...pageQuery,
});

// Clients that put every member into the address send this instead of omitting it.
const orNull = (text: z.ZodString) =>
  text.transform((value) => (value === 'null' || value === '' ? undefined : value)).optional();

export const SessionFileListQuery = z.strictObject({
  parent_id: orNull(z.string().max(100)).describe('A directory. Absent, empty or `null`: the top.'),
  cursor: orNull(z.string().max(500)),
  limit: z.coerce.number().int().min(1).max(100).default(100),
});

export const RevisionListQuery = z.strictObject({ ...pageQuery });

const entryId = z.string().regex(/^ent_[0-9A-Za-z]{1,60}$/, 'An entry id is ent_ and letters and digits.');

const name = z.string().min(1).max(1_000);

export const EntryFromFileBody = z.strictObject({
  kind: z.literal('file', 'The kind is file or directory.').optional(),
  file_id: z.string().min(1).max(100),
  parent_id: entryId.optional(),
  name: name.optional(),
});

export const NewDirectoryBody = z.strictObject({
  kind: z.literal('directory'),
  name,
  parent_id: entryId.optional(),
});

export const NewEntryBody = z.union([NewDirectoryBody, EntryFromFileBody]);

/** A `parent_id` of null moves to the top; omitted members stay unchanged. */
export const EntryChangeBody = z
  .strictObject({ name: name.nullish(), parent_id: entryId.nullable().optional() })
  .refine((change) => (change.name ?? change.parent_id) !== undefined, 'Send name, parent_id, or both.');

/** Fields of the form beside its file. */
export const EntryFields = z.strictObject({ parent_id: entryId.optional(), name: name.optional() });

export const EntryForm = EntryFields.extend({ file: z.file() });
