import type { Ledgerline } from '../../src/index.ts';
import type { AgentFolder } from '../agentFolder/readFolder.ts';

/** The icon of a folder as a member of the draft; that of the draft, where its bytes are the same. */
export async function iconFileOf(
  client: Ledgerline,
  { icon }: AgentFolder,
  present: string | null | undefined,
): Promise<{ icon_file_id?: string }> {
  if (!icon) return {};
  if (present && (await hasBytes(client, present, icon.bytes))) return { icon_file_id: present };
  const { id } = await client.files.upload(icon.bytes, { filename: icon.file, purpose: 'agent_icon' });
  return { icon_file_id: id };
}

/** Whether a file of the workspace is there, and has these bytes. */
export async function hasBytes(client: Ledgerline, fileId: string, bytes: Uint8Array): Promise<boolean> {
  const stored = await readFileOf(client, fileId).catch(() => undefined);
  return stored !== undefined && Buffer.compare(stored, bytes) === 0;
}

export async function readFileOf(client: Ledgerline, fileId: string): Promise<Uint8Array> {
  const blob = await (await client.files.download(fileId)).blob();
  return new Uint8Array(await blob.arrayBuffer());
}
