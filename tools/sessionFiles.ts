import { isFilePath, decodeText } from '../sandbox/files.ts';
import { isPdf, pdfText } from './pdfText.ts';
import { ToolFailure, type ToolContext } from './tool.ts';

/**
 * The path of a session file, normalised to Unicode's NFC. Throws ToolFailure for an invalid path. Paths are keys of rows and are never
 * joined to a path of the host; the rules keep them equal here, in the sandbox, and in a download.
 */
export function filePathOf(given: string): string {
  const path = given.normalize('NFC');
  if (isFilePath(path)) return path;
  throw new ToolFailure(
    `'${shown(path)}' is not a valid path of a session file. Use a relative path like 'reports/june.csv': names of 1 to 255 bytes, none of them '.' or '..', without backslashes and control characters.`,
  );
}

const shown = (path: string) => path.slice(0, 100).replaceAll(/[\p{Cc}\p{Cs}]/gu, '?');

const MEDIA_TYPES = new Map(
  Object.entries({
    csv: 'text/csv',
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
    svg: 'image/svg+xml',
    tsv: 'text/tab-separated-values',
    txt: 'text/plain',
    wav: 'audio/wav',
    webp: 'image/webp',
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

/** The text of a session file. Throws ToolFailure when there is no such file, or it is binary. */
export async function readFileText(given: string, context: ToolContext): Promise<string> {
  const path = filePathOf(given);
  const bytes = await context.files.read(path);
  if (!bytes)
    throw new ToolFailure(`There is no file '${path}' in the session. Call list_files for the existing files.`);
  return textOf({ path, bytes, signal: context.signal });
}

/** The text in a file's bytes, including PDF. Throws ToolFailure that names the actual type. */
async function textOf({ path, bytes, signal }: { path: string; bytes: Uint8Array; signal: AbortSignal }) {
  if (bytes.length > READ_BYTES_MAX)
    throw new ToolFailure(`'${path}' is too large to read as text: the maximum is ${READ_BYTES_MAX} bytes.`);
  if (isPdf(bytes)) return pdfText(bytes, signal);
  const text = decodeText(bytes);
  if (text !== undefined) return text;
  throw new ToolFailure(`'${path}' is not text: ${mediaTypeOf(path, false)}, ${bytes.length} bytes.`);
}
