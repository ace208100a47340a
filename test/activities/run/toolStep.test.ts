import { expect, test } from '@jest/globals';
import type { Bound, Rows } from '../../../db/postgres/rows.ts';
import { createToolFiles } from '../../../activities/run/toolStep.ts';

const paths = ['a.txt', 'b.txt', 'c.txt'];

/** A database with the ids of three files, which records its queries. */
function stage() {
  const asked: string[] = [];
  const query = async ({ name, values }: { name: string; values: string[] }) => {
    asked.push(`${name} ${values[0]}`);
    if (name === 'file_bytes') return { rows: [{ bytes: Buffer.from(values[0]!) }] };
    return { rows: paths.map((path) => ({ path, fileId: `file of ${path}`, mediaType: 'text/plain', sizeBytes: 1 })) };
  };
  const bound = { client: { query }, workspaceId: 'ws_1' } as unknown as Bound;
  const statement = (work: (rows: Bound) => unknown) => work(bound);
  const { files } = createToolFiles({ statement } as unknown as Rows, 'ses_1');
  return { files, asked };
}

test('a call that reads every file of its session queries the list once', async () => {
  const { files, asked } = stage();
  for (const { path } of await files.list()) expect(String(await files.read(path))).toBe(`file of ${path}`);
  expect(await files.read('d.txt')).toBeUndefined();
  expect(asked).toEqual(['session_files ses_1', ...paths.map((path) => `file_bytes file of ${path}`)]);
});

test('files written by a call are listed and read unchanged', async () => {
  const { files } = stage();
  await files.list();
  await files.write({ path: 'b.txt', bytes: Buffer.from('mine'), mediaType: 'text/plain' });
  expect((await files.list()).map(({ path }) => path)).toEqual(['a.txt', 'c.txt', 'b.txt']);
  expect(String(await files.read('b.txt'))).toBe('mine');
});
