import type { z } from 'zod';
import { FILE_BYTES_MAX } from '../../db/files/upload.ts';
import type { Context } from '../context.ts';
import { validationError } from '../../base/errors/requestErrors.ts';
import { readBody } from '../body/body.ts';
import { isMultipart, readValidForm, type Form } from '../body/multipart.ts';
import { parseBody } from '../body/parseWith.ts';
import type { Services } from '../services.ts';
import { takeUpload, type ArrivedBytes } from '../files/newFile.ts';
import { EntryFields, EntryFromFileBody, NewDirectoryBody, type NewEntryBody } from './sessionSchema.ts';

/** A new entry of a session. `asked` identifies the request in a retry. */
export type NewEntry =
  | { kind: 'upload'; parentId: string | null; name: string; bytes: ArrivedBytes; asked: object }
  | { kind: 'file'; parentId: string | null; name: string | null; fileId: string; asked: object }
  | { kind: 'directory'; parentId: string | null; name: string; asked: object };

// Chosen by `kind`, because a union's error would be less helpful.
const parse = (value: unknown) => {
  const isDirectory = (value as { kind?: unknown } | null)?.kind === 'directory';
  return parseBody<z.ZodType<z.output<typeof NewEntryBody>>>(isDirectory ? NewDirectoryBody : EntryFromFileBody)(value);
};

/** Reads the body, a form or JSON. Throws 422 `validation_error`, and the errors of reading a form or JSON. */
export async function readNewEntry(ctx: Context, services: Services): Promise<NewEntry> {
  if (isMultipart(ctx)) return readUpload(ctx, services);
  const input = await readBody(ctx, parse);
  const parentId = input.parent_id ?? null;
  if (input.kind === 'directory') return { kind: 'directory', parentId, name: input.name, asked: input };
  return { kind: 'file', parentId, name: input.name ?? null, fileId: input.file_id, asked: input };
}

async function readUpload(ctx: Context, { db }: Services): Promise<NewEntry> {
  const { workspaceId } = ctx.state.key;
  const form = await readValidForm(ctx, {
    keys: db.keys,
    takeFile: (bytes) => takeUpload(db.write(workspaceId), bytes, FILE_BYTES_MAX),
  });
  try {
    return entryOf(form);
  } catch (error) {
    await form.file?.content.drop();
    throw error;
  }
}

function entryOf({ fields, file }: Form<ArrivedBytes>): NewEntry {
  const input = parseBody(EntryFields)(Object.fromEntries(fields));
  if (!file || file.field !== 'file') throw missingFile();
  const bytes = file.content;
  const place = { parentId: input.parent_id ?? null, name: input.name ?? file.filename };
  return { kind: 'upload', ...place, bytes, asked: { ...place, sha256: bytes.sha256.toString('hex') } };
}

const missingFile = () =>
  validationError([
    { loc: ['body', 'file'], msg: 'The form needs a part named "file" with a filename.', type: 'missing' },
  ]);
