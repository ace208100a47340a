import { afterAll, expect, test } from '@jest/globals';
import { readLines } from '../../../activities/batch/readLines.ts';
import { BATCH_LINE_BYTES_MAX } from '../../../base/limits.ts';
import { openUpload, publishUpload } from '../../../db/files/upload.ts';
import { newId } from '../../../db/ids.ts';
import { collect } from '../../support/streams.ts';
import { setTestDatabase } from '../../support/database.ts';

const workspaceId = newId('ws');

const db = await setTestDatabase({ spends: false });
afterAll(() => db.close());

async function stored(text: string | Buffer): Promise<{ id: string; sizeBytes: number }> {
  const rows = db.write(workspaceId);
  const upload = await openUpload(rows);
  await upload.write(Buffer.from(text));
  const bytes = await upload.end();
  const file = { id: newId('file'), sessionId: null, purpose: 'batch', filename: 'a', mediaType: 'text/plain' };
  await publishUpload(rows, bytes, { ...file, expiresInSeconds: null });
  return { id: file.id, sizeBytes: bytes.sizeBytes };
}

const read = async (file: { id: string; sizeBytes: number }, from = { line: 1, offsetBytes: 0 }) =>
  (await collect(readLines(db.read(workspaceId), file, from))).map(({ line, start, bytes }) => ({
    line,
    start,
    text: bytes && Buffer.from(bytes).toString(),
  }));

test('lines are numbered with the blank ones, and can be read from any of their places', async () => {
  const file = await stored('one\n\r\n  \nfour\r\n\nsix');
  const lines = await read(file);
  expect(lines.map(({ line, text }) => [line, text])).toEqual([
    [1, 'one'],
    [4, 'four\r'],
    [6, 'six'],
  ]);
  for (const [index, { start }] of lines.entries()) expect(await read(file, start)).toEqual(lines.slice(index));
});

test('a line may reach over several parts of the file', async () => {
  const long = 'x'.repeat(3_000_000);
  const lines = await read(await stored(`a\n${long}\nb\n`));
  expect(lines.map(({ text }) => text!.length)).toEqual([1, long.length, 1]);
});

test('a line that is too long is named, and the next ones are read', async () => {
  const lines = await read(
    await stored(Buffer.concat([Buffer.alloc(BATCH_LINE_BYTES_MAX + 1, 'x'), Buffer.from('\nb\n')])),
  );
  expect(lines.map(({ line, text }) => [line, text])).toEqual([
    [1, undefined],
    [2, 'b'],
  ]);
});
