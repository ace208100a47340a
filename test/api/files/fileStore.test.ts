import { afterAll, expect } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { balanceOf } from '../../support/account.ts';
import { setFileStage } from '../../support/fileStage.ts';
import { codeOf } from '../../support/guardStage.ts';
import { read } from '../../support/http.ts';
import { expectSoundLedger } from '../../support/ledger.ts';
import { testWhen } from '../../support/needs.ts';
import { startObjectServer, STORE_SECRETS } from '../../support/objectServer.ts';
import { until } from '../../support/until.ts';

const store = await startObjectServer();
const testStored = testWhen(store, 'a store that speaks S3: Python with pip');

const stage = await setFileStage({ env: store ? { FILES_S3_URL: store.url } : {} });
afterAll(async () => {
  await stage.close();
  await store?.close();
});

const content = (id: string, headers: Record<string, string> = {}, method = 'GET') =>
  stage.call(`/v1/files/${id}/content`, { headers, method });
const bytesOf = async (response: Response) => Buffer.from(await response.arrayBuffer());
const countOf = async (table: string): Promise<number> =>
  (await stage.db.pool.query(`select count(*)::int as count from ${table}`)).rows[0].count as number;

const speak = () =>
  stage.call('/voiceapi/v1/text-to-speech/alloy', {
    body: JSON.stringify({ text: 'A few words.' }),
    headers: { 'xi-api-key': stage.mine.secret },
  });
const historyOf = (id: string, part = '') => stage.call(`/voiceapi/v1/history/${id}${part}`);

testStored(
  'uploads, session files, speech and samples of voices are in the store, and none in the database',
  async () => {
    const bytes = Buffer.from(randomBytes(350_000).toString('hex'));
    const { id } = await stage.upload(bytes, 'a.txt');
    const whole = await content(id);
    expect([whole.status, whole.headers.get('content-length')]).toEqual([200, '700000']);
    expect((await bytesOf(whole)).equals(bytes)).toBe(true);
    const part = await content(id, { range: 'bytes=300000-300009' });
    expect(part.status).toBe(206);
    expect((await bytesOf(part)).equals(bytes.subarray(300_000, 300_010))).toBe(true);
    expect((await content(id, {}, 'HEAD')).headers.get('content-length')).toBe('700000');
    const entry = await stage.addFile(await stage.newSession(), 'of a session', 'b.txt');
    expect(await (await content(entry.file!.id)).text()).toBe('of a session');

    const spoken = await speak();
    const sound = await bytesOf(spoken);
    const item = spoken.headers.get('history-item-id')!;
    const kept = async () => (await historyOf(item)).status === 200;
    await until(kept);
    expect((await bytesOf(await historyOf(item, '/audio'))).equals(sound)).toBe(true);
    const form = new FormData();
    form.append('name', 'Mine');
    form.append('files', new Blob([sound]), 'speech.mp3');
    const headers = { 'xi-api-key': stage.mine.secret };
    const added = await fetch(`${stage.api.url}/voiceapi/v1/voices/add`, { method: 'POST', body: form, headers });
    await read(added, 200);
    expect(await countOf('file_chunks')).toBe(0);
    expect(await countOf('file_objects')).toBe(4);
  },
);

testStored('another workspace gets no byte of the store', async () => {
  const { id } = await stage.upload('mine', 'mine.txt');
  const answer = await stage.call(`/v1/files/${id}/content`, { key: stage.other.secret });
  expect([answer.status, await codeOf(answer)]).toEqual([404, 'file_not_found']);
});

testStored('while the store is away, files are refused by name, and everything else works', async () => {
  const { id } = await stage.upload('kept', 'kept.txt');
  const [paidNanos, files] = [await balanceOf(stage.db, stage.mine.workspaceId), await countOf('files')];
  await store!.kill();
  const form = { content: 'new', fields: { purpose: 'agent_input' } };
  const sessionId = await stage.newSession();
  const refused = [
    () => content(id),
    () => stage.send('/v1/files', form),
    () => stage.send(`/v1/sessions/${sessionId}/files`, { content: 'new' }),
  ];
  for (const ask of refused) {
    const answer = await ask();
    expect([answer.status, await codeOf(answer)]).toEqual([503, 'file_store_unavailable']);
    expect(answer.headers.get('retry-after')).toBe('5');
  }
  // A file's metadata is in the database.
  expect((await content(id, {}, 'HEAD')).status).toBe(200);
  expect(await balanceOf(stage.db, stage.mine.workspaceId)).toBe(paidNanos);
  const spoken = await speak();
  expect(spoken.status).toBe(200);
  expect((await bytesOf(spoken)).length).toBeGreaterThan(1_000);
  const item = spoken.headers.get('history-item-id')!;
  await until(async () => (await historyOf(item)).status === 200);
  expect(await codeOf(await historyOf(item, '/audio'))).toBe('audio_not_found');

  await store!.start();
  expect(await (await content(id)).text()).toBe('kept');
  expect(await (await content((await stage.upload('new', 'new.txt')).id)).text()).toBe('new');
  // Failed uploads are not listed; the sweep removes their rows and their parts in the store.
  const hidden = await stage.db.pool.query('select from files where deleted_at is null');
  expect(hidden.rowCount).toBe(files + 1);
  await expectSoundLedger(stage.db);
});

testStored('no log has the login of the store', () => {
  const log = stage.api.lines.join('\n');
  expect(log).toContain('ObjectStoreFailed');
  for (const secret of STORE_SECRETS) expect(log).not.toContain(secret);
});
