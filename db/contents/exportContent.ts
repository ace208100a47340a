import { openContent } from './contents.ts';
import type { ContentBox } from './contentBox.ts';

/** A row of contents for its workspace: decrypted, or without its content where this process has no key for it. */
export async function exportedContent(box: ContentBox | null, line: string): Promise<string> {
  const { sealed, ...row } = JSON.parse(line) as { workspace_id: string; request_id: string; sealed: string };
  const bytes = Buffer.from(sealed.slice('\\x'.length), 'hex');
  const text = box && (await openContent(box, row.workspace_id, row.request_id, bytes).catch(() => null));
  return JSON.stringify({ ...row, content: text === null ? null : (JSON.parse(text) as object) });
}
