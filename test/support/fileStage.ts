import { setGuardStage, type Asked } from './guardStage.ts';
import { read } from './http.ts';

export { read };

/** A file in both families' form. */
export interface FileBody {
  id: string;
  object: string;
  purpose: string;
  filename: string;
  media_type?: string;
  size_bytes?: number;
  bytes?: number;
  status?: string;
  created_at: string | number;
  expires_at: string | number | null;
}

export interface EntryBody {
  id: string;
  session_id: string;
  parent_id: string;
  name: string;
  path: string;
  kind: 'file' | 'directory';
  file: FileBody | null;
  revision_id: string;
  updated_at: string;
}

export interface ListingBody {
  data: EntryBody[];
  has_more: boolean;
  next_cursor: string | null;
  directory_generation: number;
  save_state: string;
  save_error: object | null;
  save_operation: Record<string, unknown> | null;
  busy: boolean;
  max_file_bytes: number;
  storage_limit_bytes: number;
}

/** The API as a process, two workspaces, and helpers for files and sessions. */
export async function setFileStage({ env = {} }: { env?: Record<string, string> } = {}) {
  const stage = await setGuardStage({ env });
  const mine = await stage.account();
  const other = await stage.account();

  const call = (path: string, { key = mine.secret, headers = {}, ...asked }: Asked & { key?: string } = {}) =>
    stage.ask(path, { ...asked, headers: { authorization: `Bearer ${key}`, ...headers } });

  /** Sends a form; the file's part is called `file` and comes before the fields, or after them. */
  function send(
    path: string,
    {
      content,
      filename = 'notes.txt',
      fields = {},
      fieldsFirst = false,
      key = mine.secret,
      headers = {},
    }: {
      content?: string | Uint8Array<ArrayBuffer>;
      filename?: string;
      fields?: Record<string, string>;
      fieldsFirst?: boolean;
      key?: string;
      headers?: Record<string, string>;
    },
  ): Promise<Response> {
    const form = new FormData();
    const addFields = () => Object.entries(fields).forEach(([name, value]) => form.append(name, value));
    if (fieldsFirst) addFields();
    if (content !== undefined) form.append('file', new Blob([content]), filename);
    if (!fieldsFirst) addFields();
    const url = stage.api.url + path;
    return fetch(url, { method: 'POST', body: form, headers: { authorization: `Bearer ${key}`, ...headers } });
  }

  async function upload(content: string | Uint8Array<ArrayBuffer>, filename = 'notes.txt'): Promise<FileBody> {
    return read<FileBody>(await send('/v1/files', { content, filename, fields: { purpose: 'agent_input' } }), 200);
  }

  async function newSession(key = mine.secret): Promise<string> {
    const { id } = await read<{ id: string }>(await call('/v1/sessions', { key, body: '{}' }), 201);
    return id;
  }

  const listing = async (sessionId: string, query = '') =>
    read<ListingBody>(await call(`/v1/sessions/${sessionId}/files${query}`), 200);

  const addDirectory = async (sessionId: string, name: string, parentId: string | null = null) => {
    const body = JSON.stringify({ kind: 'directory', name, parent_id: parentId });
    return read<EntryBody>(await call(`/v1/sessions/${sessionId}/files`, { body }), 201);
  };

  const addFile = async (sessionId: string, content: string, filename: string, parentId?: string) => {
    const fields: Record<string, string> = parentId === undefined ? {} : { parent_id: parentId };
    return read<EntryBody>(await send(`/v1/sessions/${sessionId}/files`, { content, filename, fields }), 201);
  };

  /** The number of chunks and files in the database, including invisible files. */
  async function stored(): Promise<{ files: number; chunks: number }> {
    const { rows } = await stage.db.pool.query(
      'select (select count(*)::int from files) as files, (select count(*)::int from file_chunks) as chunks',
    );
    return rows[0];
  }

  return { ...stage, mine, other, call, send, upload, newSession, listing, addDirectory, addFile, stored };
}
