import * as z from 'zod';
import { MIB, sizeText } from '../base/limits.ts';
import { readFileText, filePathOf, mediaTypeOf } from './sessionFiles.ts';
import {
  defineTool,
  textResult,
  type SessionFile,
  type Tool,
  type ToolContext,
  ToolFailure,
  type ToolResult,
} from './tool.ts';

const FILES_MAX = 500;

/** Lists the files of the session. */
export const listFiles: Tool = defineTool({
  name: 'list_files',
  description: 'Lists the files of the session: path, media type and size.',
  kind: 'file',
  input: z.strictObject({}),
  run: async (_input, { files }) => textResult(presentFiles(await files.list())),
});

function presentFiles(files: SessionFile[]): string {
  if (files.length === 0) return 'The session has no files.';
  const lines = files
    .slice(0, FILES_MAX)
    .map(({ path, mediaType, sizeBytes }) => `${path} (${mediaType}, ${sizeBytes} bytes)`);
  const rest = files.length - FILES_MAX;
  return [...lines, ...(rest > 0 ? [`[${rest} more files are not shown.]`] : [])].join('\n');
}

const LIMIT_CHARACTERS = 20_000;
const LIMIT_CHARACTERS_MAX = 60_000;

/** Reads a part of a file as text. */
export const readFile: Tool = defineTool({
  name: 'read_file',
  description:
    'Reads a file of the session as text. Workbooks (XLSX) give their sheets as tables, documents (DOCX), ' +
    'slides (PPTX), web pages (HTML) and PDF files their text with headings, lists and tables; a picture is ' +
    'shown. A long file is read in parts: the result has the offset of the next part.',
  kind: 'file',
  input: z.strictObject({
    path: z.string().describe('Path of the file, as list_files returns it.'),
    offset: z.int().min(0).default(0).describe('First character to read.'),
    limit: z
      .int()
      .min(1)
      .max(LIMIT_CHARACTERS_MAX)
      .default(LIMIT_CHARACTERS)
      .describe('Maximum number of characters to read.'),
    source: z.boolean().default(false).describe('Reads the markup of a web page instead of its text.'),
  }),
  run: async ({ path, offset, limit, source }, context) => {
    const picture = await pictureAt(path, context);
    if (picture && !source) return await showPicture(picture, context);
    const text = await readFileText(path, context, source);
    return textResult(partOf({ text, offset, limit }));
  },
});

const PICTURE_TYPES = ['image/png', 'image/jpeg', 'image/webp', 'image/gif'];
const PICTURE_STARTS = /^(?:\u0089PNG\r\n|\u00ff\u00d8\u00ff|GIF8[79]a|RIFF[^]{4}WEBP)/;
const PICTURE_BYTES_MAX = 5 * MIB;

async function pictureAt(given: string, { files }: ToolContext): Promise<SessionFile | undefined> {
  const path = filePathOf(given);
  return (await files.list()).find((file) => file.path === path && PICTURE_TYPES.includes(file.mediaType));
}

async function showPicture(
  { path, mediaType, sizeBytes }: SessionFile,
  { files, pictureTypes }: ToolContext,
): Promise<ToolResult> {
  if (!pictureTypes.includes(mediaType))
    throw new ToolFailure(`'${path}' is a picture (${mediaType}), and the model of this agent cannot see pictures.`);
  if (sizeBytes > PICTURE_BYTES_MAX)
    throw new ToolFailure(`'${path}' is too large to show: a picture may have ${sizeText(PICTURE_BYTES_MAX)}.`);
  const bytes = await files.read(path);
  // A model's upstream refuses the whole call for an invalid picture.
  if (!bytes || !PICTURE_STARTS.test(Buffer.from(bytes.subarray(0, 16)).toString('latin1')))
    throw new ToolFailure(`'${path}' is no picture, whatever its name says.`);
  return { ...textResult(`The picture ${path} follows.`), picture: path };
}

function partOf({ text, offset, limit }: { text: string; offset: number; limit: number }): string {
  if (text === '') return '[The file is empty.]';
  const end = Math.min(offset + limit, text.length);
  if (offset >= text.length) return `[The file ends before: it has ${text.length} characters.]`;
  const part = text.slice(offset, end).toWellFormed();
  if (offset === 0 && end === text.length) return part;
  const next = end < text.length ? ` The next part begins at offset ${end}.` : '';
  return `${part}\n[Characters ${offset} to ${end} of ${text.length}.${next}]`;
}

/** Writes a text file, replacing an existing one. */
export const writeFile: Tool = defineTool({
  name: 'write_file',
  description: 'Writes a text file into the session. A file of the same path is replaced.',
  kind: 'file',
  input: z.strictObject({
    path: z.string().describe("Relative path of the file, like 'reports/june.md'."),
    content: z.string().describe('The whole text of the file.'),
  }),
  run: async ({ path: given, content }, { files }) => {
    const path = filePathOf(given);
    const bytes = new TextEncoder().encode(content);
    await files.write({ path, bytes, mediaType: mediaTypeOf(path, true) });
    return textResult(`Wrote ${path} (${bytes.length} bytes).`);
  },
});

const MATCHES_MAX = 100;
const SEARCHED_BYTES_MAX = 64 * 1024 * 1024;
const SHOWN_CHARACTERS = 240;

/** Finds a literal text in the files of the session. */
export const searchFiles: Tool = defineTool({
  name: 'search_files',
  description:
    'Finds the lines that contain a plain text, upper and lower case alike, in the files of the session ' +
    '(workbooks, documents, slides and PDF files included). Each line has its file and the offset of its ' +
    'first character for read_file.',
  kind: 'file',
  input: z.strictObject({
    query: z.string().min(1).max(1000).describe('The text to find. No patterns.'),
    path: z.string().optional().describe('Searches this file or folder alone.'),
  }),
  run: async ({ query, path }, context) => {
    const { matches, unread } = await searchIn(await filesUnder(path, context), query, context);
    const notes =
      unread.length > 0 ? [`[Not searched, because too large or not text: ${unread.slice(0, 20).join(', ')}]`] : [];
    if (matches.length === 0) return textResult([`No line contains '${query}'.`, ...notes].join('\n'));
    const cut = matches.length > MATCHES_MAX ? [`[Only the first ${MATCHES_MAX} lines are shown.]`] : [];
    return textResult([...matches.slice(0, MATCHES_MAX), ...cut, ...notes].join('\n'));
  },
});

async function filesUnder(given: string | undefined, { files }: ToolContext) {
  const all = await files.list();
  if (given === undefined) return all;
  const path = filePathOf(given);
  return all.filter((file) => file.path === path || file.path.startsWith(`${path}/`));
}

async function searchIn(files: { path: string; sizeBytes: number }[], query: string, context: ToolContext) {
  const matches: string[] = [];
  const unread: string[] = [];
  let leftBytes = SEARCHED_BYTES_MAX;
  for (const { path, sizeBytes } of files) {
    context.signal.throwIfAborted();
    if (matches.length > MATCHES_MAX) break;
    leftBytes -= sizeBytes;
    const text = leftBytes < 0 ? undefined : await textOrNone(path, context);
    if (text === undefined) unread.push(path);
    else matches.push(...matchesIn({ path, text, query }));
  }
  return { matches, unread };
}

async function textOrNone(path: string, context: ToolContext): Promise<string | undefined> {
  try {
    return await readFileText(path, context);
  } catch (error) {
    if (error instanceof ToolFailure) return undefined;
    throw error;
  }
}

function matchesIn({ path, text, query }: { path: string; text: string; query: string }): string[] {
  const wanted = query.toLowerCase();
  const found: string[] = [];
  let offset = 0;
  for (const line of text.split('\n')) {
    const at = line.toLowerCase().indexOf(wanted);
    if (at >= 0) found.push(`${path} (offset ${offset}): ${shown(line, at)}`);
    if (found.length > MATCHES_MAX) break;
    offset += line.length + 1;
  }
  return found;
}

function shown(line: string, at: number): string {
  const start = Math.max(0, at - SHOWN_CHARACTERS / 3);
  return line
    .slice(start, start + SHOWN_CHARACTERS)
    .toWellFormed()
    .trim();
}
