import { send } from '../api/client.ts';

/** Uploads a file for a purpose, and returns its id. */
export async function uploadFile(
  file: File,
  purpose: 'agent_input' | 'agent_icon' | 'workspace_logo' | 'batch',
): Promise<string> {
  const response = await sendFile('/v1/files', file, { purpose });
  const { id } = (await response.json()) as { id: string };
  return id;
}

/** Adds a file to a session, in a directory of it. */
export async function addFile(file: File, to: { sessionId: string; parentId: string | undefined }): Promise<void> {
  await sendFile(`/v1/sessions/${to.sessionId}/files`, file, { ...(to.parentId && { parent_id: to.parentId }) });
}

/** Sends a form, in which the file stands last. */
function sendFile(path: string, file: File, fields: Record<string, string>): Promise<Response> {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  form.set('file', file);
  return send(path, { method: 'POST', body: form });
}
