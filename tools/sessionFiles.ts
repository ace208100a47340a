import { isFilePath, decodeText } from './sandbox/files.ts';
import { DocumentError } from './documents/documentError.ts';
import { documentKindOf, documentText } from './documents/readDocument.ts';
import { ToolFailure, type ToolContext } from './tool.ts';

/**
 * The path of a session file, normalised to Unicode's NFC. Throws ToolFailure for an invalid path. Paths are keys of rows and are never
 * joined to a path of the host; the rules keep them equal here, in the sandbox, and in a download.
 */
export function filePathOf(given: string): string {
  const path = given.normalize('NFC');
  if (isFilePath(path)) return path;
  throw new ToolFailure(
    `'${shown(path)}' is not a valid path of a session file. Use a relative path like 'reports/june.csv': ` +
      `names of 1 to 255 bytes, none of them '.' or '..', without backslashes, control characters and direction marks.`,
  );
}

const shown = (path: string) =>
  path.slice(0, 100).replaceAll(/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/gu, '?');

const MEDIA_TYPES = new Map(
  Object.entries({
    csv: 'text/csv',
    docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
    gif: 'image/gif',
    htm: 'text/html',
    html: 'text/html',
    jpeg: 'image/jpeg',
    jpg: 'image/jpeg',
    json: 'application/json',
    md: 'text/markdown',
    mp3: 'audio/mpeg',
    pdf: 'application/pdf',
    png: 'image/png',
    pptx: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
    svg: 'image/svg+xml',
    tsv: 'text/tab-separated-values',
    txt: 'text/plain',
    wav: 'audio/wav',
    webp: 'image/webp',
    xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    xml: 'application/xml',
    yaml: 'application/yaml',
    yml: 'application/yaml',
    zip: 'application/zip',
  }),
);

/** The media type for a file name; without a known extension, text when `isText` and bytes otherwise. */
export function mediaTypeOf(path: string, isText: boolean): string {
  const ending = path.slice(path.lastIndexOf('.') + 1).toLowerCase();
  return MEDIA_TYPES.get(ending) ?? (isText ? 'text/plain' : 'application/octet-stream');
}

const READ_BYTES_MAX = 32 * 1024 * 1024;

/** The bytes of a session file. Throws ToolFailure when there is no such file, or it is too large to read. */
export async function readFileBytes(path: string, { files }: ToolContext): Promise<Uint8Array> {
  const bytes = await files.read(path);
  if (!bytes)
    throw new ToolFailure(`There is no file '${path}' in the session. Call list_files for the existing files.`);
  if (bytes.length > READ_BYTES_MAX)
    throw new ToolFailure(`'${path}' is too large to read as text: the maximum is ${READ_BYTES_MAX} bytes.`);
  return bytes;
}

/** The text of a session file; of a document its content, unless the source is requested. Throws ToolFailure if it has none. */
export async function readFileText(given: string, context: ToolContext, isSource = false): Promise<string> {
  const path = filePathOf(given);
  const bytes = await readFileBytes(path, context);
  const kind = isSource ? undefined : documentKindOf(bytes, path);
  if (kind) return readable(documentText(kind, bytes, context.signal));
  const text = decodeText(bytes);
  if (text !== undefined) return text;
  throw new ToolFailure(`'${path}' is not text: ${mediaTypeOf(path, false)}, ${bytes.length} bytes.`);
}

/** Reads a document; its faults are messages for the model. */
export async function readable<Result>(reading: Promise<Result>): Promise<Result> {
  try {
    return await reading;
  } catch (error) {
    throw error instanceof DocumentError ? new ToolFailure(error.message) : error;
  }
}
