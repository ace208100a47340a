import type { Pool } from 'pg';
import { readFileBytes, sessionFilesOf, type RunFile } from '../../db/sessions/saveRunFiles.ts';
import type { ToolFiles } from '../../tools/tool.ts';

export interface WrittenFile {
  path: string;
  bytes: Uint8Array;
  mediaType: string;
}

/**
 * The session's files as one tool call sees them. Its writes are buffered here, readable by the same call, and saved by the caller in one
 * transaction after the tool has ended: a tool that is stopped or retried leaves nothing half done.
 */
export function createToolFiles(pool: Pool, session: { workspaceId: string; sessionId: string }) {
  const written = new Map<string, WrittenFile>();
  // Once per call: a search through thousands of files would otherwise list them for each file.
  let listing: Promise<RunFile[]> | undefined;
  const saved = () => (listing ??= sessionFilesOf(pool, session));

  const files: ToolFiles = {
    list: async () => {
      const others = (await saved()).filter(({ path }) => !written.has(path));
      const own = [...written.values()].map(({ path, mediaType, bytes }) => ({
        path,
        mediaType,
        sizeBytes: bytes.length,
      }));
      return [...others, ...own];
    },
    read: async (path) => {
      const own = written.get(path);
      if (own) return own.bytes;
      const file = (await saved()).find((one) => one.path === path);
      return file && readFileBytes(pool, session.workspaceId, file.fileId);
    },
    write: async (file) => void written.set(file.path, file),
  };
  return { files, written: () => [...written.values()] };
}
