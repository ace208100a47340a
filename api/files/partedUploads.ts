import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { z } from 'zod';
import { isStorable } from '../../base/json.ts';
import { unixSecondsOf } from '../../base/isoTime.ts';
import { MIB } from '../../base/limits.ts';
import { fileNameOf } from '../../db/files/fileName.ts';
import { findFile, readBytes, type StoredFile } from '../../db/files/files.ts';
import {
  completeWith,
  endUpload,
  findPendingUpload,
  findUpload,
  insertPartedUpload,
  isFull,
  listParts,
  PARTS_MAX,
  publishPart,
  type PartedUpload,
} from '../../db/files/partedUploads.ts';
import { fileTooLarge } from '../../db/files/upload.ts';
import { newId } from '../../db/ids.ts';
import { isMultipart, readForm } from '../body/multipart.ts';
import type { Context, Handler } from '../context.ts';
import { unsupportedMediaType } from '../../base/errors/requestErrors.ts';
import type { Rows } from '../../db/postgres/rows.ts';
import type { Services } from '../services.ts';
import { invalidValue } from '../../base/errors/invalidRequest.ts';
import { strictBody } from '../../calls/text/parameters/strictBody.ts';
import { BYTES_MAX, checkedType, SECONDS_MAX, SECONDS_MIN, takeUpload, type Purpose } from './newFile.ts';
import { checkPurpose } from '../../calls/purposeScope.ts';
import { OpenAiFile, openAiFiles } from './presentFile.ts';

/** OpenAI's limit per part. */
export const PART_BYTES_MAX = 64 * MIB;

/** Body of `POST /uploads`. */
export const UploadInput = z.strictObject({
  filename: z.string().min(1).max(255),
  purpose: z.enum(Object.keys(BYTES_MAX) as [Purpose, ...Purpose[]]),
  bytes: z.int().min(1).describe('The size of the whole file.'),
  mime_type: z.string().min(1).max(255).describe('The file’s own content decides its type.'),
  expires_after: z
    .strictObject({ anchor: z.literal('created_at'), seconds: z.int().min(SECONDS_MIN).max(SECONDS_MAX) })
    .optional(),
});

/** Body of `POST /uploads/{upload_id}/complete`. */
export const CompleteInput = z.strictObject({
  part_ids: z.array(z.string().min(1).max(64)).min(1).max(PARTS_MAX).describe('In the order of the file.'),
  md5: z.string().max(64).optional().describe('Hexadecimal; compared with the whole file.'),
});

/** The form of a part, as documented. */
export const PartForm = z.strictObject({ data: z.file() });

const seconds = z.int().describe('Seconds since 1970.');

export const UploadAnswer = z.object({
  id: z.string(),
  object: z.literal('upload'),
  bytes: z.int(),
  created_at: seconds,
  expires_at: seconds,
  filename: z.string(),
  purpose: z.string(),
  status: z.enum(['pending', 'completed', 'cancelled']),
  file: OpenAiFile.nullable(),
});

export const PartAnswer = z.object({
  id: z.string(),
  object: z.literal('upload.part'),
  created_at: seconds,
  upload_id: z.string(),
});

export const parseUpload = strictBody(UploadInput);
export const parseComplete = strictBody(CompleteInput);

/** `POST /uploads`: announces a file in parts. 403 without the purpose's scope, 413 for a file that is too large. */
export function createUpload({ db }: Services): Handler<z.output<typeof UploadInput>> {
  return async (ctx) => {
    const { filename, purpose, bytes, expires_after: expiry } = ctx.state.input;
    const { key } = ctx.state;
    checkPurpose(key, purpose);
    if (bytes > BYTES_MAX[purpose]) throw fileTooLarge(BYTES_MAX[purpose]);
    const about = { filename: nameIn(filename), purpose, sizeBytes: bytes };
    const expiresInSeconds = expiry?.seconds ?? (purpose === 'batch' ? SECONDS_MAX : null);
    const id = newId('upload');
    ctx.body = presentUpload(await insertPartedUpload(db.write(key.workspaceId), { id, ...about, expiresInSeconds }));
  };
}

function nameIn(filename: string): string {
  if (!isStorable(filename)) throw invalidValue('filename', 'A name holds no NUL and no half of a surrogate pair.');
  try {
    return fileNameOf(filename);
  } catch (error) {
    throw invalidValue('filename', (error as Error).message);
  }
}

/** `POST /uploads/{upload_id}/parts`: accepts parts in any order, also concurrently. */
export function addPart({ db }: Services): Handler {
  return async (ctx) => {
    if (!isMultipart(ctx)) throw unsupportedMediaType('Send the part as multipart/form-data.');
    const upload = await findCallersUpload(ctx, db);
    const rows = db.write(ctx.state.key.workspaceId);
    if (await isFull(rows, upload)) throw tooManyParts();
    const form = await readForm(ctx, {
      keys: db.keys,
      takeFile: (bytes) => takeUpload(rows, bytes, Math.min(PART_BYTES_MAX, upload.sizeBytes)),
    });
    const arrived = form.file?.content;
    try {
      const unknown = [...form.fields.keys()][0];
      // A text in the file's place has no filename.
      if (unknown === 'data') throw invalidValue('data', NEEDS_FILE);
      if (unknown !== undefined) throw invalidValue(unknown.slice(0, 100), 'This field is not known.');
      if (!arrived || form.file?.field !== 'data') throw invalidValue('data', NEEDS_FILE);
      if (arrived.sizeBytes === 0) throw invalidValue('data', 'A part has at least one byte.');
      const id = newId('part');
      if (!(await publishPart(rows, upload, { id, stored: arrived }))) throw tooManyParts();
      const created_at = unixSecondsOf(new Date());
      ctx.body = { id, object: 'upload.part', created_at, upload_id: upload.id } satisfies z.infer<typeof PartAnswer>;
    } finally {
      await arrived?.drop().catch(() => {});
    }
  };
}

const NEEDS_FILE = 'The form needs a part named "data" with a filename.';

const tooManyParts = () => invalidValue('data', `An upload has at most ${PARTS_MAX} parts. Complete or cancel it.`);

/**
 * `POST /uploads/{upload_id}/complete`: joins the parts to a file. Throws 400 for parts that are unknown, repeated or differ in sum from
 * the announced size, for a wrong MD5, and for a picture of too many pixels; 415 for an unreadable type. The upload then stays open. One
 * that is completed is answered with its file: clients repeat a call whose answer was lost.
 */
export function completeUpload({ db }: Services): Handler<z.output<typeof CompleteInput>> {
  return async (ctx) => {
    const { key, params, input } = ctx.state;
    const rows = db.write(key.workspaceId);
    const completed = async () => {
      const upload = await findUpload(db.read(key.workspaceId), params.upload_id!);
      checkPurpose(key, upload.purpose);
      return upload.status === 'completed' ? presentUpload(upload, await findFile(rows, upload.fileId!)) : undefined;
    };
    const joined = async () => join(rows, await findCallersUpload(ctx, db), input);
    // Another call may be faster: a completion, or a cancellation, which takes the parts away.
    const orCompleted = async (error: unknown) => {
      const answer = await completed();
      if (answer) return answer;
      await findCallersUpload(ctx, db);
      throw error;
    };
    ctx.body = (await completed()) ?? (await joined().catch(orCompleted));
  };
}

async function join(
  rows: Rows,
  upload: PartedUpload,
  { part_ids: ids, md5 }: z.output<typeof CompleteInput>,
): Promise<z.infer<typeof UploadAnswer>> {
  const parts = orderedParts(await listParts(rows, upload), ids, upload);
  const hash = createHash('md5');
  const bytes = async function* () {
    for (const { id, sizeBytes } of parts)
      for await (const chunk of readBytes(rows, { id, from: 0, to: sizeBytes })) {
        hash.update(chunk);
        yield chunk;
      }
  };
  const arrived = await takeUpload(rows, Readable.from(bytes()), upload.sizeBytes, { hasRoom: true });
  try {
    const sum = hash.digest('hex');
    if (md5 !== undefined && md5.toLowerCase() !== sum)
      throw invalidValue('md5', `The file's MD5 is '${sum}', not '${md5}'.`);
    const fileId = newId('file');
    const { purpose, filename, expiresInSeconds } = upload;
    const mediaType = checkedType({ purpose: purpose as Purpose, filename, head: arrived.head }, openAiFiles);
    const file = { id: fileId, sessionId: null, purpose, filename, mediaType, expiresInSeconds };
    const ended = await completeWith(rows, upload.id, { stored: arrived, file });
    return presentUpload(ended, await findFile(rows, fileId));
  } finally {
    await arrived.drop().catch(() => {});
  }
}

function orderedParts(arrived: StoredFile[], ids: string[], { sizeBytes }: PartedUpload): StoredFile[] {
  const byId = new Map(arrived.map((part) => [part.id, part]));
  const parts = ids.map((id, at) => {
    const part = byId.get(id);
    if (!part) throw invalidValue(`part_ids[${at}]`, `This upload has no further part with the id '${id}'.`);
    byId.delete(id);
    return part;
  });
  const sum = parts.reduce((bytes, part) => bytes + part.sizeBytes, 0);
  if (sum === sizeBytes) return parts;
  throw invalidValue(
    'part_ids',
    `The parts have ${sum} bytes together, and the upload was announced with ${sizeBytes}.`,
  );
}

/** `POST /uploads/{upload_id}/cancel`: deletes its parts. */
export function cancelUpload({ db }: Services): Handler {
  return async (ctx) => {
    const { id } = await findCallersUpload(ctx, db);
    ctx.body = presentUpload(await endUpload(db.write(ctx.state.key.workspaceId), id, { status: 'cancelled' }));
  };
}

async function findCallersUpload({ state }: Context, db: Services['db']): Promise<PartedUpload> {
  const upload = await findPendingUpload(db.read(state.key.workspaceId), state.params.upload_id!);
  checkPurpose(state.key, upload.purpose);
  return upload;
}

function presentUpload(upload: PartedUpload, file?: StoredFile): z.infer<typeof UploadAnswer> {
  return {
    id: upload.id,
    object: 'upload',
    bytes: upload.sizeBytes,
    created_at: unixSecondsOf(upload.createdAt),
    expires_at: unixSecondsOf(upload.expiresAt),
    filename: upload.filename,
    purpose: upload.purpose,
    status: upload.status,
    file: file ? (openAiFiles.present(file) as z.infer<typeof OpenAiFile>) : null,
  };
}
