import * as z from 'zod';
import { defineTool } from '../defineTool.ts';
import { textResult, type Tool } from '../tool.ts';
import { readFileText } from './fileText.ts';

const LIMIT_CHARACTERS = 20_000;
const LIMIT_CHARACTERS_MAX = 60_000;

/** Reads a part of a file as text. */
export const readFile: Tool = defineTool({
  name: 'read_file',
  description:
    'Reads a file of the session as text. PDF files are turned into text. A long file is read in parts: the answer says where the next one begins.',
  kind: 'file',
  input: z.strictObject({
    path: z.string().describe('Path of the file, as list_files tells it.'),
    offset: z.int().min(0).default(0).describe('First character to read.'),
    limit: z.int().min(1).max(LIMIT_CHARACTERS_MAX).default(LIMIT_CHARACTERS).describe('Most characters to read.'),
  }),
  run: async ({ path, offset, limit }, context) => {
    const text = await readFileText(path, context);
    return textResult(partOf({ text, offset, limit }));
  },
});

function partOf({ text, offset, limit }: { text: string; offset: number; limit: number }): string {
  if (text === '') return '[The file is empty.]';
  const end = Math.min(offset + limit, text.length);
  if (offset >= text.length) return `[The file ends before: it has ${text.length} characters.]`;
  const part = text.slice(offset, end).toWellFormed();
  if (offset === 0 && end === text.length) return part;
  const next = end < text.length ? ` The next part begins at offset ${end}.` : '';
  return `${part}\n[Characters ${offset} to ${end} of ${text.length}.${next}]`;
}
