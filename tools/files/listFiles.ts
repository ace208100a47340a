import * as z from 'zod';
import { defineTool } from '../defineTool.ts';
import { textResult, type SessionFile, type Tool } from '../tool.ts';

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
