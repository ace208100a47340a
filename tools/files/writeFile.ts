import * as z from 'zod';
import { defineTool } from '../defineTool.ts';
import { textResult, type Tool } from '../tool.ts';
import { filePathOf } from './filePath.ts';
import { mediaTypeOf } from './mediaType.ts';

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
