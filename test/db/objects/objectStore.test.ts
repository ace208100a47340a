import { afterAll, expect, test } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { inspect } from 'node:util';
import { eraseWorkspace, listDueErasures } from '../../../db/erasure/eraseWorkspace.ts';
import { orderErasure } from '../../../db/erasure/erasures.ts';
import { exportWorkspace } from '../../../db/exports/exportWorkspace.ts';
import { OBJECT_BYTES } from '../../../db/files/fileObjects.ts';
import { beginReading, removeFile, findFile, pruneFiles, pruneObjects, readBytes } from '../../../db/files/files.ts';
import { createObjectStore, type ObjectStoreFailed } from '../../../db/objects/objectStore.ts';
import { openUpload, publishUpload } from '../../../db/files/upload.ts';
import { newId } from '../../../db/ids.ts';
import { readFileBytes } from '../../../db/sessions/saveRunFiles.ts';
import { runAdmin } from '../../ops/admin/runAdmin.ts';
import { makeAccount } from '../../support/account.ts';
import { makeDatabase, openTestDatabase } from '../../support/database.ts';
import { testWhen } from '../../support/needs.ts';
import { startObjectServer } from '../../support/objectServer.ts';
import { collect } from '../../support/streams.ts';

type Database = Awaited<ReturnType<typeof openTestDatabase>>;

const server = await startObjectServer();
const testStored = testWhen(server, 'a store that speaks S3: Python with pip');
/** With the store, and without it as before: with files in the database. */

const database = await makeDatabase();
const plain = await openTestDatabase({ url: database.url });
const db = await openTestDatabase({ url: database.url, fileStore: server && { url: server.url, takesNew: true } });
const { workspaceId } = await makeAccount(db);
afterAll(async () => {
  await db.close();
  await plain.close();
  await database.drop();
  await server?.close();
});

async function store(at: Database, bytes: Buffer, of = workspaceId): Promise<string> {
  const upload = await openUpload(at.write(of));
  for (let from = 0; from < bytes.length; from += 1_000_000) await upload.write(bytes.subarray(from, from + 1_000_000));
  const id = newId('file');
  const about = { purpose: 'agent_input', filename: 'a.bin', mediaType: 'text/plain', expiresInSeconds: null };
  await publishUpload(at.write(of), await upload.end(), { id, sessionId: null, ...about });
  await upload.drop();
  return id;
}

const readAll = async (at: Database, id: string, [from, to]: [number, number], of = workspaceId): Promise<Buffer> =>
  Buffer.concat(await collect(readBytes(at.read(of), { id, from, to })));
const read = (id: string, from: number, to: number) => readAll(db, id, [from, to]);

async function keysOf(id: string): Promise<string[]> {
  const sql = 'select key from file_objects where file_id = $1 order by position';
  return (await db.pool.query<{ key: string }>(sql, [id])).rows.map(({ key }) => key);
}
const chunksOf = async (id: string) =>
  (await db.pool.query('select from file_chunks where file_id = $1', [id])).rowCount;

/** Whether the store itself has an object. */
const isStored = (key: string): Promise<boolean> =>
  collect(db.everywhere.objects!.read(key, { from: 0, to: 1 })).then(
    () => true,
    (error: ObjectStoreFailed) => {
      if (!error.isMissing) throw error;
      return false;
    },
  );

/** Runs the command that moves all files. */
const move = (to: 'store' | 'database') =>
  runAdmin(['files', 'move', '--to', to, '--json'], {
    DATABASE_URL: database.url,
    FILES_S3_URL: server!.url,
    FILES_STORED_IN: to,
  });

testStored('a file of several parts is read whole and in ranges, and none of it is in the database', async () => {
  const bytes = randomBytes(OBJECT_BYTES + 12_345);
  const id = await store(db, bytes);
  expect(await keysOf(id)).toHaveLength(2);
  expect(await chunksOf(id)).toBe(0);
  expect((await read(id, 0, bytes.length)).equals(bytes)).toBe(true);
  const [from, to] = [OBJECT_BYTES - 10, OBJECT_BYTES + 20];
  expect((await read(id, from, to)).equals(bytes.subarray(from, to))).toBe(true);
  expect(await findFile(db.read(workspaceId), id)).toMatchObject({ sizeBytes: bytes.length });
  expect((await readFileBytes(db.read(workspaceId), id))!.equals(bytes)).toBe(true);
  const { workspaceId: other } = await makeAccount(db);
  await expect(readAll(db, id, [0, 4], other)).rejects.toThrow('ended before their size');
  expect(await readFileBytes(db.read(other), id)).toBeUndefined();
  // A process without the setting.
  await expect(readAll(plain, id, [0, 4])).rejects.toMatchObject({ name: 'ObjectStoreFailed' });
});

testStored('deleted files, dropped and abandoned uploads leave no object', async () => {
  const id = await store(db, Buffer.from('to be deleted'));
  const uploads = await Promise.all([1, 2].map(() => openUpload(db.write(workspaceId))));
  const ids = [id];
  for (const upload of uploads) {
    await upload.write(Buffer.from('half'));
    ids.push((await upload.end()).uploadId);
  }
  const keys = (await Promise.all(ids.map(keysOf))).flat();
  expect(keys).toHaveLength(3);
  for (const key of keys) expect(await isStored(key)).toBe(true);
  await uploads[0]!.drop();
  expect(await keysOf(ids[1]!)).toEqual([]);
  await removeFile(db.write(workspaceId), id);
  await db.pool.query('update files set expires_at = now() where id = $1', [ids[2]]);
  while ((await pruneObjects(db.everywhere)) + (await pruneFiles(db.everywhere)) > 0);
  for (const key of keys) expect(await isStored(key)).toBe(false);
  expect((await db.pool.query('select from files where id = any ($1)', [ids])).rowCount).toBe(0);
});

testStored('files are moved to the store and back by command, also while they are read', async () => {
  const bytes = randomBytes(2_500_000);
  const id = await store(plain, bytes);
  const begun = await beginReading(db.read(workspaceId), { id, from: 5, to: bytes.length });
  const moved = await move('store');
  expect(moved).toMatchObject({ exitCode: 0, stdout: `{"files":1,"bytes":${bytes.length},"failed":[]}\n` });
  expect([await chunksOf(id), (await keysOf(id)).length]).toEqual([0, 1]);
  expect(Buffer.concat(await collect(begun)).equals(bytes.subarray(5))).toBe(true);
  expect((await move('store')).stdout).toBe('{"files":0,"bytes":0,"failed":[]}\n');
  const keys = await keysOf(id);
  const begunAgain = await beginReading(db.read(workspaceId), { id, from: 0, to: bytes.length });
  expect((await move('database')).exitCode).toBe(0);
  expect(Buffer.concat(await collect(begunAgain)).equals(bytes)).toBe(true);
  expect((await readAll(plain, id, [0, bytes.length])).equals(bytes)).toBe(true);
  expect((await db.pool.query('select from file_objects')).rowCount).toBe(0);
  for (const key of keys) expect(await isStored(key)).toBe(false);
  expect((await db.pool.query('select from files where deleted_at is not null')).rowCount).toBe(0);
});

testStored('bytes that are lost are named by a move, which continues with other files', async () => {
  const [lost, kept] = [await store(db, Buffer.from('lost')), await store(db, Buffer.from('kept'))];
  for (const key of await keysOf(lost)) await db.everywhere.objects!.remove(key);
  const { exitCode, stdout } = await move('database');
  const { failed } = JSON.parse(stdout) as { failed: string[] };
  expect([exitCode, failed]).toEqual([1, [expect.stringMatching(`^${lost} was not moved: .*404 NoSuchKey`)]]);
  expect((await readAll(plain, kept, [0, 4])).toString()).toBe('kept');
  await removeFile(db.write(workspaceId), lost);
});

testStored('an erased workspace leaves no object, and its export has had the bytes', async () => {
  const { workspaceId: own } = await makeAccount(db);
  const id = await store(db, Buffer.from('of an erased workspace'), own);
  const archive: Uint8Array[] = [];
  await exportWorkspace(db.read(own), async (bytes) => void archive.push(bytes));
  expect(Buffer.concat(archive).includes('of an erased workspace')).toBe(true);
  const [key] = (await keysOf(id)) as [string];
  await orderErasure(db.everywhere, { workspaceId: own, by: { keyId: null, requestId: 'req_test' } });
  await db.pool.query('update erasures set due_at = now() where workspace_id = $1', [own]);
  const [due] = await listDueErasures(db);
  const erase = (at: Database) =>
    eraseWorkspace(at, due!, { deleteHistories: async () => 0, endPayments: async () => {}, onProgress: () => {} });
  // Without the store the erasure is not complete: the next attempt removes the objects.
  await expect(erase(plain)).rejects.toMatchObject({ name: 'ObjectStoreFailed' });
  expect(await isStored(key)).toBe(true);
  expect(await erase(db)).toBe(true);
  expect(await isStored(key)).toBe(false);
});

test('a store that is silent is given up, a cut answer is continued, and a wrong secret is refused once', async () => {
  let asked = 0;
  const slow = createServer(({ url, headers }, response) => {
    asked += 1;
    const from = Number(/=(\d+)/.exec(headers.range ?? '=0')![1]);
    if (/refused|probe/.test(url!)) response.writeHead(403).end('<Code>SignatureDoesNotMatch</Code>');
    else if (url!.endsWith('/half') && from === 0) response.writeHead(206).write('half');
    // One byte per answer.
    else if (url!.endsWith('/cut')) response.writeHead(206).write('abcdefgh'[from], () => response.destroy());
  });
  await new Promise<void>((resolve) => slow.listen(0, '127.0.0.1', resolve));
  const { port } = slow.address() as AddressInfo;
  const at = { url: `http://key:hush@127.0.0.1:${port}/bucket`, takesNew: true };
  const objects = createObjectStore(at, { silenceMs: 500, tries: 2 });
  await expect(objects.put('never', Buffer.from('x'))).rejects.toThrow('silent for');
  expect(asked).toBe(1);
  const parts: string[] = [];
  const reading = async (key: string) => {
    for await (const part of objects.read(key, { from: 0, to: 8 })) parts.push(Buffer.from(part).toString());
  };
  await reading('cut');
  expect(parts.splice(0)).toEqual(['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']);
  await expect(reading('half')).rejects.toMatchObject({ name: 'ObjectStoreFailed' });
  expect(parts).toEqual(['half']);
  asked = 0;
  const refused: Error = await objects.remove('refused').then(
    () => new Error('not refused'),
    (error: Error) => error,
  );
  expect(refused.message).toContain('403 SignatureDoesNotMatch');
  expect(inspect(refused, { depth: 9 })).not.toContain('hush');
  expect([asked, await objects.answers()]).toEqual([1, false]);
  slow.closeAllConnections();
  slow.close();
});
