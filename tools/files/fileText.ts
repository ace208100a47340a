import { ToolFailure, type ToolContext } from '../tool.ts';
import { decodeText } from '../../sandbox/decodeText.ts';
import { filePathOf } from './filePath.ts';
import { mediaTypeOf } from './mediaType.ts';
import { isPdf, pdfText } from './pdfText.ts';

const READ_BYTES_MAX = 32 * 1024 * 1024;

/** The text of a session file. Throws ToolFailure when there is no such file, or it is binary. */
export async function readFileText(given: string, context: ToolContext): Promise<string> {
  const path = filePathOf(given);
  const bytes = await context.files.read(path);
  if (!bytes) throw new ToolFailure(`There is no file '${path}' in the session. list_files tells which there are.`);
  return textOf({ path, bytes, signal: context.signal });
}

/** The text in a file's bytes, including PDF. Throws ToolFailure that names the actual type. */
async function textOf({ path, bytes, signal }: { path: string; bytes: Uint8Array; signal: AbortSignal }) {
  if (bytes.length > READ_BYTES_MAX) throw new ToolFailure(`'${path}' is too large to be read as text.`);
  if (isPdf(bytes)) return pdfText(bytes, signal);
  const text = decodeText(bytes);
  if (text !== undefined) return text;
  throw new ToolFailure(`'${path}' is no text: ${mediaTypeOf(path, false)}, ${bytes.length} bytes.`);
}
