import * as z from 'zod';
import { defineTool } from '../defineTool.ts';
import { textResult, ToolFailure, type Tool, type ToolContext } from '../tool.ts';
import { filePathOf } from './filePath.ts';
import { readFileText } from './fileText.ts';

const MATCHES_MAX = 100;
const SEARCHED_BYTES_MAX = 64 * 1024 * 1024;
const SHOWN_CHARACTERS = 240;

/** Finds a literal text in the files of the session. */
export const searchFiles: Tool = defineTool({
  name: 'search_files',
  description:
    'Finds the lines that contain a plain text, upper and lower case alike, in the files of the session (PDF files included). Each is told with its file and the offset of its first character, which read_file takes.',
  kind: 'file',
  input: z.strictObject({
    query: z.string().min(1).max(1000).describe('The text to find. No patterns.'),
    path: z.string().optional().describe('Searches this file or folder alone.'),
  }),
  run: async ({ query, path }, context) => {
    const { matches, unread } = await searchIn(await filesUnder(path, context), query, context);
    const notes =
      unread.length > 0 ? [`[Not searched, as too much or no text: ${unread.slice(0, 20).join(', ')}]`] : [];
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
