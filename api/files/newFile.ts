import type { Readable } from 'node:stream';
import { z } from 'zod';
import { fileNameOf, mediaTypeOf, successorOf, HEAD_BYTES } from '../../db/files/fileName.ts';
import {
  BATCH_FILE_BYTES_MAX,
  FILE_BYTES_MAX,
  ICON_BYTES_MAX,
  fileTooLarge,
  openUpload,
  type StoredBytes,
} from '../../db/files/upload.ts';
import type { Rows } from '../../db/postgres/rows.ts';
import type { Key } from '../../db/keys/keys.ts';
import type { Form } from '../body/multipart.ts';
import { unsupportedMediaType } from '../../base/errors/requestErrors.ts';
import { imageSizeOf, isJpeg } from '../../base/imageSize.ts';
import type { FileFamily } from './presentFile.ts';
import { checkPurpose } from '../../calls/purposeScope.ts';

/** The validated fields of a new file. */
export interface FileRequest {
  purpose: Purpose;
  filename: string;
  mediaType: string;
  expiresInSeconds: number | null;
}

/** The size limit of a file of each purpose. */
export const BYTES_MAX = {
  agent_input: FILE_BYTES_MAX,
  agent_icon: ICON_BYTES_MAX,
  workspace_logo: ICON_BYTES_MAX,
  batch: BATCH_FILE_BYTES_MAX,
  user_data: FILE_BYTES_MAX,
  vision: FILE_BYTES_MAX,
  assistants: FILE_BYTES_MAX,
} as const;

/** The purposes for which files can be uploaded. */
export type Purpose = keyof typeof BYTES_MAX;

/** The documented form; its parts are validated later, with the errors of the address's family. */
export const FileForm = z.strictObject({
  file: z.file(),
  purpose: z.enum(Object.keys(BYTES_MAX) as [Purpose, ...Purpose[]]),
  'expires_after[anchor]': z.literal('created_at').optional(),
  'expires_after[seconds]': z.int().min(3_600).max(2_592_000).optional(),
});

const EXPIRES_ANCHOR = 'expires_after[anchor]';
const EXPIRES_SECONDS = 'expires_after[seconds]';
const NEEDS_FILE = 'The form needs a part named "file" with a filename.';
const FIELDS = new Set(['purpose', EXPIRES_ANCHOR, EXPIRES_SECONDS]);
/** OpenAI's limits: the shortest lifetime, the default of a batch's file, and the longest lifetime. */
export const SECONDS_MIN = 3_600;
export const BATCH_FILE_DAYS = 30;
export const SECONDS_MAX = BATCH_FILE_DAYS * 86_400;

/** The size limit of a file, by the preceding fields. Throws 403 when the key has no scope for its purpose. */
export function bytesMaxOf(fields: Map<string, string>, key: Key): number {
  const purpose = fields.get('purpose');
  if (!isPurpose(purpose)) return BATCH_FILE_BYTES_MAX;
  checkPurpose(key, purpose);
  return BYTES_MAX[purpose];
}

/**
 * Checks the form of a new file. Throws the family's validation error for a field, 403 when the key has no scope for its purpose, 413
 * `file_too_large`, and 415 `unsupported_media_type` for types that neither agents' tools nor a model can read.
 */
export function fileRequestOf({ fields, file }: Form<ArrivedBytes>, family: FileFamily, key: Key): FileRequest {
  const unknown = [...fields.keys()].find((name) => !FIELDS.has(name));
  // A text in the file's place has no filename.
  if (unknown === 'file') throw family.refuse('file', NEEDS_FILE);
  if (unknown !== undefined) throw family.refuse(unknown.slice(0, 100), 'This field is not known.');
  if (!file || file.field !== 'file') throw family.refuse('file', NEEDS_FILE);
  const purpose = fields.get('purpose');
  if (!isPurpose(purpose))
    throw family.refuse('purpose', `The purpose must be one of ${Object.keys(BYTES_MAX).join(', ')}.`);
  checkPurpose(key, purpose);
  if (file.content.sizeBytes > BYTES_MAX[purpose]) throw fileTooLarge(BYTES_MAX[purpose]);
  const filename = checkedName(file.filename, family);
  const mediaType = checkedType({ purpose, filename, head: file.content.head }, family);
  return { purpose, filename, mediaType, expiresInSeconds: expiryOf(purpose, fields, family) };
}

/** Whether files can be uploaded for this purpose. */
export const isPurpose = (purpose: string | undefined): purpose is Purpose =>
  purpose !== undefined && Object.hasOwn(BYTES_MAX, purpose);

function checkedName(filename: string, family: FileFamily): string {
  try {
    return fileNameOf(filename);
  } catch (error) {
    throw family.refuse('file', (error as Error).message);
  }
}

/**
 * The media type of a file, from its bytes. Throws 415 for a type that its purpose does not allow, and the family's validation error for a
 * picture of too many pixels.
 */
export function checkedType(
  { purpose, filename, head }: { purpose: Purpose; filename: string; head: Buffer },
  family: FileFamily,
): string {
  const type = readableTypeOf({ filename, head });
  if (purpose === 'batch' && !isTextLike(type)) throw unsupportedMediaType('A batch is a file of JSON lines.');
  if (isPicture(purpose) && !ICON_TYPES.has(type))
    throw unsupportedMediaType(`${PICTURES[purpose]} is a PNG, JPEG, WebP or GIF image.`);
  if (isPicture(purpose)) checkPixels(head, { family, name: PICTURES[purpose] });
  return type;
}

const PICTURES = { agent_icon: 'An icon', workspace_logo: 'A logo' } as const;

const isPicture = (purpose: Purpose): purpose is keyof typeof PICTURES => Object.hasOwn(PICTURES, purpose);

/** Any page may show an icon or a logo, and decodes all of its pixels. */
function checkPixels(head: Buffer, { family, name }: { family: FileFamily; name: string }): void {
  const size = imageSizeOf(head);
  if (!size) throw family.refuse('file', 'The size of the image cannot be read: its header is incomplete.');
  const { width, height } = size;
  const isUsable = Math.min(width, height) >= 1 && Math.max(width, height) <= ICON_PIXELS_MAX;
  if (isUsable) return;
  const most = `${name} has at most ${ICON_PIXELS_MAX} × ${ICON_PIXELS_MAX} pixels, and at least one`;
  throw family.refuse('file', `${most}; this one has ${width} × ${height}.`);
}

/** Limit of each side of an icon. */
export const ICON_PIXELS_MAX = 2_048;

const ICON_TYPES = new Set(['image/png', 'image/jpeg', 'image/webp', 'image/gif']);

const isTextLike = (type: string) => type === 'text/plain' || /^application\/jsonl?$/.test(type);

/**
 * The media type of a file. Throws 415 for a type that no agent can read; for an old Office document it names the type to convert to.
 * `param` is the file's place in the request.
 */
export function readableTypeOf(file: { filename: string; head: Uint8Array }, param = 'file'): string {
  const type = mediaTypeOf(file);
  if (type !== undefined) return type;
  const successor = successorOf(file);
  throw unsupportedMediaType(
    successor
      ? `'${file.filename}' is a binary document of Office before 2007, or locked with a password: convert it to ` +
          `${successor} without a password.`
      : `'${file.filename}' is of no type that can be read. Files are text (CSV, JSON, Markdown, HTML and ` +
          'others), XLSX, DOCX, PPTX, PDF, PNG, JPEG, GIF, WebP, or sound.',
    param,
  );
}

function expiryOf(purpose: Purpose, fields: Map<string, string>, family: FileFamily): number | null {
  const anchor = fields.get(EXPIRES_ANCHOR);
  const seconds = fields.get(EXPIRES_SECONDS);
  if (anchor === undefined && seconds === undefined) return purpose === 'batch' ? SECONDS_MAX : null;
  if (anchor !== 'created_at') throw family.refuse(EXPIRES_ANCHOR, 'The anchor must be created_at.');
  const value = /^\d{1,9}$/.test(seconds ?? '') ? Number(seconds) : Number.NaN;
  if (value >= SECONDS_MIN && value <= SECONDS_MAX) return value;
  throw family.refuse(EXPIRES_SECONDS, `The seconds must be a whole number from ${SECONDS_MIN} to ${SECONDS_MAX}.`);
}

/** The stored bytes of an upload, and its first bytes, which identify the type. */
export interface ArrivedBytes extends StoredBytes {
  head: Buffer;
  drop(): Promise<void>;
}

/**
 * Stores bytes as they arrive. Removes them when the upload is interrupted or exceeds `bytesMax`, which throws 413 `file_too_large`.
 * `hasRoom`: they take the place of others, also in a full workspace.
 */
export async function takeUpload(
  rows: Rows,
  bytes: Readable,
  bytesMax: number,
  { hasRoom = false }: { hasRoom?: boolean } = {},
): Promise<ArrivedBytes> {
  const upload = await openUpload(rows, { hasRoom });
  let head = Buffer.alloc(0);
  let sizeBytes = 0;
  try {
    for await (const part of bytes as AsyncIterable<Buffer>) {
      sizeBytes += part.length;
      if (sizeBytes > bytesMax) throw fileTooLarge(bytesMax);
      if (head.length < headBytesOf(head)) {
        const longer = Buffer.concat([head, part]);
        head = longer.subarray(0, headBytesOf(longer));
      }
      await upload.write(part);
    }
    return { ...(await upload.end()), head, drop: () => upload.drop() };
  } catch (error) {
    // When the database is down the bytes remain, and the sweep removes them.
    await upload.drop().catch(() => {});
    throw error;
  }
}

// The size of a JPEG follows its previews and profiles, so icons are kept whole.
const headBytesOf = (bytes: Buffer): number => (isJpeg(bytes) ? ICON_BYTES_MAX : HEAD_BYTES);
