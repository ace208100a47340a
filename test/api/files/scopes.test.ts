import { afterAll, expect, test } from '@jest/globals';
import { createKey } from '../../../db/keys/keyStore.ts';
import { seedAgents } from '../../../db/publishing/houseAgents.ts';
import { codeOf } from '../../support/guardStage.ts';
import { read, setFileStage, type FileBody } from '../../support/fileStage.ts';

const PNG = new Uint8Array(Buffer.from('89504e470d0a1a0a0000000d494844520000000100000001', 'hex'));
const ofAgents = ['agent_input', 'agent_icon', 'user_data', 'vision', 'assistants'] as const;
const purposes = [...ofAgents, 'batch', 'workspace_logo'] as const;
const files = new Map<string, string>();

const stage = await setFileStage();
const all = await keyFor(['llm', 'batch', 'publisher', 'manage']);
afterAll(() => stage.close());

/** Another key of the same workspace. */
async function keyFor(scopes: string[]): Promise<string> {
  const made = await createKey(stage.db.everywhere, { workspaceId: stage.mine.workspaceId, name: 'scoped', scopes });
  return made.secret;
}

const isPicture = (purpose: string) => purpose === 'agent_icon' || purpose === 'workspace_logo';

const upload = (key: string, purpose: string, fieldsFirst = true) =>
  stage.send('/v1/files', {
    content: isPicture(purpose) ? PNG : '{"a":1}\n',
    filename: isPicture(purpose) ? 'icon.png' : 'lines.jsonl',
    fields: { purpose },
    fieldsFirst,
    key,
  });
for (const purpose of purposes) files.set(purpose, (await read<FileBody>(await upload(all, purpose), 200)).id);

test.each<[string, readonly string[]]>([
  ['agents', ofAgents],
  ['llm', ofAgents],
  ['batch', ['batch']],
  ['publisher', ['agent_icon']],
  ['manage', ['workspace_logo']],
  ['voice', []],
  ['operator', []],
])('a key for %s may use files of exactly these purposes: %j', async (scope, allowed) => {
  const key = await keyFor([scope]);
  for (const purpose of purposes) {
    const isAllowed = allowed.includes(purpose);
    const path = `/v1/files/${files.get(purpose)}`;
    const own = await upload(key, purpose);
    const answers = [
      own,
      await upload(key, purpose, false),
      await stage.call(path, { key }),
      await stage.call(`${path}/content`, { key }),
      await stage.call(`/v1/files?purpose=${purpose}`, { key }),
      await stage.call(`/textapi${path}`, { key, method: 'DELETE' }),
    ];
    const wanted = isAllowed ? 200 : 403;
    expect([purpose, ...answers.map(({ status }) => status)]).toEqual([purpose, ...answers.map(() => wanted)]);
    if (!isAllowed) expect(await codeOf(answers[2]!)).toBe('scope_not_allowed');
    if (isAllowed) files.set(purpose, ((await own.json()) as FileBody).id);
  }
});

test("a list without a purpose contains the files that the key's scopes cover", async () => {
  const listed = async (scope: string) => {
    const page = await read<{ data: FileBody[] }>(await stage.call('/v1/files', { key: await keyFor([scope]) }), 200);
    return new Set(page.data.map(({ purpose }) => purpose));
  };
  expect(await listed('llm')).toEqual(new Set(ofAgents));
  expect(await listed('batch')).toEqual(new Set(['batch']));
  expect(await listed('voice')).toEqual(new Set());
});

test('a session takes only files that the key may use', async () => {
  const [plain, both] = [await keyFor(['llm']), await keyFor(['llm', 'batch'])];
  const uploaded = await read<FileBody>(await upload(both, 'batch'), 200);
  const sessionId = await stage.newSession(plain);
  const put = (key: string, more: object = {}) =>
    stage.call(`/v1/sessions/${sessionId}/files`, { key, body: JSON.stringify({ file_id: uploaded.id, ...more }) });
  for (const more of [{}, { name: 'lines.jsonl' }]) {
    const refused = await put(plain, more);
    expect([refused.status, await codeOf(refused)]).toEqual([403, 'scope_not_allowed']);
  }
  expect((await stage.listing(sessionId)).data).toEqual([]);
  expect((await put(both)).status).toBe(201);
});

test('a run takes only files that its key may use, and so does its quote', async () => {
  await seedAgents(stage.db.everywhere);
  const [plain, both] = [await keyFor(['llm']), await keyFor(['llm', 'batch'])];
  const uploaded = await read<FileBody>(await upload(both, 'batch'), 200);
  const input = [{ type: 'input_file', file_id: uploaded.id }];
  const order = (path: string, key: string) =>
    stage.call(path, { key, body: JSON.stringify({ agent: 'ledgerline/analyst', input }) });
  for (const path of ['/v1/runs', '/v1/runs/quote']) {
    const refused = await order(path, plain);
    expect([path, refused.status, await codeOf(refused)]).toEqual([path, 403, 'scope_not_allowed']);
    expect((await order(path, both)).status).toBeLessThan(300);
  }
});
