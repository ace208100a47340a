import { afterAll, expect, test } from '@jest/globals';
import { read, setFileStage, type FileBody } from '../../support/fileStage.ts';

const stage = await setFileStage();
afterAll(() => stage.close());

const agentFields = { purpose: 'agent_input' };

test.each(['/data/lines.txt', 'C:\\data\\lines.txt', '../lines.txt'])(
  'keeps only the name of a file that is sent with its path, %s',
  async (filename) => {
    const sent = await stage.send('/v1/files', { content: 'x', filename, fields: agentFields });
    expect((await read<FileBody>(sent, 200)).filename).toBe('lines.txt');
  },
);

test('a list goes on after a file that has expired and was removed', async () => {
  const { secret: key, workspaceId } = await stage.account();
  const ids: string[] = [];
  for (let count = 0; count < 4; count += 1) {
    const sent = { content: String(count), fields: agentFields, key };
    ids.unshift((await read<FileBody>(await stage.send('/v1/files', sent), 200)).id);
  }
  const listed = async (query: string) =>
    (await read<{ data: FileBody[] }>(await stage.call(`/v1/files?${query}`, { key }), 200)).data.map(({ id }) => id);
  await stage.db.pool.query('delete from files where workspace_id = $1 and id = $2', [workspaceId, ids[1]]);
  expect(await listed(`after=${ids[1]}`)).toEqual(ids.slice(2));
  expect(await listed(`after=${ids[1]}&limit=1`)).toEqual([ids[2]]);
  expect(await listed(`after=${ids[1]}&order=asc`)).toEqual(expect.arrayContaining([ids[0]]));
});

test.each([
  ['cursor=file_none', 404, 'cursor'],
  ['after=file_none', 404, 'after'],
  ['after=file_a&cursor=file_b', 400, 'cursor'],
])('a list with %s is refused, and names what is wrong', async (query, status, param) => {
  for (const [prefix, asked] of [
    ['/textapi/v1', status],
    ['/v1', status === 400 ? 422 : status],
  ] as const) {
    const refused = await stage.call(`${prefix}/files?${query}`);
    expect([refused.status, await refused.json()]).toMatchObject([asked, { error: { param } }]);
  }
});

test('a file that a session cannot have is named', async () => {
  const session = `/v1/sessions/${await stage.newSession()}/files`;
  const headers = { 'content-type': 'application/json' };
  const body = JSON.stringify({ file_id: 'file_none' });
  const refused = await stage.call(session, { method: 'POST', headers, body });
  expect([refused.status, await refused.json()]).toMatchObject([404, { error: { param: 'file_id' } }]);
});
