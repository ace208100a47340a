import { afterAll } from '@jest/globals';
import type { Database } from '../../../db/database.ts';
import { openUpload, publishUpload } from '../../../db/files/upload.ts';
import { newId } from '../../../db/ids.ts';
import { insertSession } from '../../../db/sessions/sessions.ts';
import { makeAccount } from '../../support/account.ts';
import { setTestDatabase } from '../../support/database.ts';

/** A database with a workspace for the tests of a file. Removed after the file. */
export async function openWorkspace() {
  const db = await setTestDatabase();
  afterAll(() => db.close());
  const { workspaceId } = await makeAccount(db);
  return { db, workspaceId };
}

/** An empty session. Returns its id. */
export async function storeSession(db: Pick<Database, 'write'>, workspaceId: string): Promise<string> {
  const id = newId('ses');
  await insertSession(db.write(workspaceId), { id, title: null, metadata: {} });
  return id;
}

/** A text file outside any session. Returns its id. */
export async function storeFile(
  db: Pick<Database, 'write'>,
  workspaceId: string,
  { filename = 'a.txt', text = 'text' } = {},
): Promise<string> {
  const upload = await openUpload(db.write(workspaceId));
  await upload.write(Buffer.from(text));
  const bytes = await upload.end();
  const id = newId('file');
  const about = { purpose: 'agent_input', filename, mediaType: 'text/plain', expiresInSeconds: null };
  await publishUpload(db.write(workspaceId), bytes, { id, sessionId: null, ...about });
  return id;
}
