import { afterAll, expect } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { pruneFiles, pruneObjects, readBytes } from '../../../db/files/files.ts';
import { openUpload, publishUpload, type FilePlace } from '../../../db/files/upload.ts';
import { newId } from '../../../db/ids.ts';
import { startChild } from '../../../ops/stack/process/child.ts';
import { runAdminProcess } from '../../ops/admin/runAdmin.ts';
import { makeAccount } from '../../support/account.ts';
import { makeDatabase, openTestDatabase } from '../../support/database.ts';
import { testWhen } from '../../support/needs.ts';
import { startObjectServer } from '../../support/objectServer.ts';
import { collect } from '../../support/streams.ts';
import { until } from '../../support/until.ts';

const FILES = 60;
const server = await startObjectServer();
const testStored = testWhen(server, 'a store that speaks S3: Python with pip');
const stored = new Map<string, Buffer>();

const database = await makeDatabase();
const db = await openTestDatabase({ url: database.url, fileStore: server && { url: server.url, takesNew: false } });
const { workspaceId } = await makeAccount(db);
for (let nth = 0; nth < FILES; nth += 1) await store(randomBytes(700_000));
afterAll(async () => {
  await db.close();
  await database.drop();
  await server?.close();
});

async function store(bytes: Buffer): Promise<void> {
  const upload = await openUpload(db.write(workspaceId));
  await upload.write(bytes);
  const about = { purpose: 'agent_input', filename: 'a.bin', mediaType: 'text/plain', expiresInSeconds: null };
  const id = newId('file');
  await publishUpload(db.write(workspaceId), await upload.end(), { id, sessionId: null, ...about });
  stored.set(id, bytes);
}

const settingOf = (place: FilePlace) => ({
  DATABASE_URL: database.url,
  FILES_S3_URL: server!.url,
  FILES_STORED_IN: place,
});
const argsOf = (place: FilePlace) => ['files', 'move', '--to', place, '--json'];

/** The number of files with bytes in the table of a place. */
async function countIn(table: 'file_chunks' | 'file_objects'): Promise<number> {
  const sql = `select count(*)::int as count from files f where deleted_at is null and exists (select from ${table} p where p.file_id = f.id)`;
  return (await db.pool.query(sql)).rows[0].count as number;
}

async function expectReadable(): Promise<void> {
  for (const [id, bytes] of stored) {
    const read = Buffer.concat(await collect(readBytes(db.read(workspaceId), { id, from: 0, to: bytes.length })));
    expect([id, read.equals(bytes)]).toEqual([id, true]);
  }
}

testStored.each([
  ['store', 'file_chunks', 'file_objects'],
  ['database', 'file_objects', 'file_chunks'],
] as const)(
  'a move to the %s that is killed loses nothing, and is completed by the next one',
  async (place, from, to) => {
    const moving = await startChild({
      command: process.execPath,
      args: ['ops/admin/main.ts', ...argsOf(place)],
      cwd: join(import.meta.dirname, '..', '..', '..'),
      env: { PATH: process.env.PATH, ...settingOf(place) },
      onStdout: () => {},
      onStderr: () => {},
      stopSignal: 'SIGTERM',
    });
    await until(async () => (await countIn(to)) > 2, { pollMs: 5, timeoutMs: 120_000 });
    process.kill(moving.pid, 'SIGKILL');
    await moving.exited;
    const left = await countIn(from);
    expect([left > 0, left + (await countIn(to))]).toEqual([true, FILES]);
    await expectReadable();
    const { exitCode, stdout } = await runAdminProcess(argsOf(place), settingOf(place));
    expect([exitCode, JSON.parse(stdout)]).toEqual([0, { files: left, bytes: left * 700_000, failed: [] }]);
    await expectReadable();
    // The partial copy of the killed process.
    await db.pool.query('update files set expires_at = now() where deleted_at is not null');
    while ((await pruneObjects(db.everywhere)) + (await pruneFiles(db.everywhere)) > 0);
    expect((await db.pool.query(`select from ${from}`)).rowCount).toBe(0);
    expect((await db.pool.query('select from files where deleted_at is not null')).rowCount).toBe(0);
    await expectReadable();
  },
  240_000,
);
