import { afterAll, describe, expect, test } from '@jest/globals';
import { createContentBox } from '../../../db/contents/contentBox.ts';
import { pruneContents } from '../../../db/contents/contents.ts';
import { exportWorkspace } from '../../../db/exports/exportWorkspace.ts';
import { newId } from '../../../db/ids.ts';
import { createKey } from '../../../db/keys/keyStore.ts';
import { insertProject } from '../../../db/projects/projects.ts';
import { makeAccount } from '../../support/account.ts';
import { embeddingModel, textModel } from '../../support/startApi.ts';
import { until } from '../../support/until.ts';
import { setContentStage, type ContentStage } from './contentStage.ts';

const stage = await setContentStage();
afterAll(() => stage.close());

const call: ContentStage['call'] = (...given) => stage.call(...given);
const contentOf: ContentStage['contentOf'] = (...given) => stage.contentOf(...given);
const send: ContentStage['send'] = (...given) => stage.send(...given);

const QUESTION = { model: textModel, messages: [{ role: 'user', content: 'What is two and two?' }], temperature: 0.5 };

describe('contents of calls', () => {
  test('a chat is kept as it was sent and answered, and only for a key that wants it', async () => {
    const { requestId, text } = await call('/v1/chat/completions', QUESTION);
    const { status, body } = await contentOf(requestId);
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        id: requestId,
        object: 'request.content',
        ended: 'complete',
        request: QUESTION,
        answer: JSON.parse(text),
        is_truncated: false,
        created_at: expect.any(String),
        expires_at: expect.any(String),
      },
    });
    const days = (Date.parse(body.expires_at as string) - Date.parse(body.created_at as string)) / 86_400_000;
    expect(days).toBe(7);
    const other = await call('/v1/chat/completions', QUESTION, stage.account.secret);
    expect((await contentOf(other.requestId)).body.error.code).toBe('content_not_found');
    const { rows } = await stage.db.pool.query('select * from request_contents where request_id = any($1)', [
      [other.requestId],
    ]);
    expect(rows).toEqual([]);
  });

  test('of another project it is neither read nor deleted by a key of a project', async () => {
    const { db, account, keepingId } = stage;
    const projectId = newId('proj');
    const by = { keyId: null, requestId: newId('req') };
    const limits = { spendLimitNanos: null, spendLimitPeriod: null };
    await insertProject(db.write(account.workspaceId), { id: projectId, by, name: 'other', ...limits });
    const scopes = ['llm', 'contents'];
    const place = { workspaceId: account.workspaceId, name: 'limited', projectId, logDays: 1 };
    const { secret, id } = await createKey(db.everywhere, { ...place, scopes });
    const own = await call('/v1/chat/completions', QUESTION, secret);
    const { requestId } = await call('/v1/chat/completions', QUESTION);
    expect((await contentOf(requestId, secret)).body.error?.code).toBe('content_not_found');
    const paths = [`requests/${requestId}/content`, `keys/${keepingId}/contents`];
    for (const path of paths)
      expect((await send('DELETE', `/platform/v1/${path}`, undefined, secret)).status).toBe(404);
    expect((await contentOf(requestId)).status).toBe(200);
    expect((await contentOf(own.requestId, secret)).status).toBe(200);
    expect((await send('DELETE', `/platform/v1/keys/${id}/contents`, undefined, secret)).body.deleted).toBe(1);
  });

  test('it is sealed in the database', async () => {
    const { requestId } = await call('/v1/chat/completions', QUESTION);
    await contentOf(requestId);
    const { rows } = await stage.db.pool.query<{ row: string; sealed: Buffer }>(
      'select c::text as row, sealed from request_contents c where request_id = $1',
      [requestId],
    );
    expect(rows[0]!.row + rows[0]!.sealed.toString('latin1')).not.toContain('two and two');
    await stage.db.pool.query(
      'update request_contents set sealed = (select sealed from request_contents where request_id <> $1 limit 1) where request_id = $1',
      [requestId],
    );
    expect((await contentOf(requestId)).status).toBe(500);
  });

  test('a stream is kept as its joined answer, with its usage', async () => {
    const { requestId } = await call('/v1/chat/completions', {
      ...QUESTION,
      stream: true,
      stream_options: { include_usage: true },
    });
    const { body } = await contentOf(requestId);
    expect(body).toMatchObject({
      ended: 'complete',
      answer: {
        object: 'chat.completion',
        model: textModel,
        choices: [{ message: { role: 'assistant', content: expect.stringMatching(/\w/) }, finish_reason: 'stop' }],
        usage: { completion_tokens: expect.any(Number), cost: expect.any(Number) },
      },
    });
  });

  test('a response, a completion and embeddings are kept; vectors are left out', async () => {
    const response = await call('/v1/responses', { model: textModel, input: 'What is two and two?', stream: true });
    expect((await contentOf(response.requestId)).body).toMatchObject({
      request: { input: 'What is two and two?' },
      answer: { object: 'response', output: [{ type: 'message' }] },
    });
    const completion = await call('/v1/completions', { model: textModel, prompt: 'Two and two' });
    expect((await contentOf(completion.requestId)).body).toMatchObject({
      request: { prompt: 'Two and two' },
      answer: { object: 'text_completion' },
    });
    const vectors = await call('/v1/embeddings', { model: embeddingModel, input: 'Two' });
    expect((await contentOf(vectors.requestId)).body).toMatchObject({ request: { input: 'Two' } });
  });

  test('images are replaced by their type and size, and long texts are cut', async () => {
    const url = `data:image/png;base64,${'A'.repeat(4_000)}`;
    const content = [
      { type: 'text', text: `long ${'word '.repeat(20_000)}` },
      { type: 'image_url', image_url: { url } },
    ];
    const { requestId } = await call('/v1/completions', { model: textModel, prompt: 'x'.repeat(300_000) });
    expect((await contentOf(requestId)).body.is_truncated).toBe(true);
    const pictured = await call('/v1/chat/completions', { model: textModel, messages: [{ role: 'user', content }] });
    expect((await contentOf(pictured.requestId)).body.request).toMatchObject({
      messages: [{ content: [{}, { image_url: { url: '[omitted: image/png, 3000 bytes]' } }] }],
    });
  });

  test('a client that leaves is marked, with what was produced until then', async () => {
    const caller = new AbortController();
    const response = await fetch(`${stage.api.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${stage.keeping}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        model: textModel,
        messages: [{ role: 'user', content: '{"scripted":{"fault":"stall"}}' }],
        stream: true,
      }),
      signal: caller.signal,
    });
    await response.body!.getReader().read();
    caller.abort();
    const requestId = response.headers.get('x-request-id')!;
    await until(async () => (await contentOf(requestId)).status === 200);
    expect((await contentOf(requestId)).body).toMatchObject({
      ended: 'client_left',
      answer: { object: 'chat.completion' },
    });
  });

  test('a failed call is kept without an answer; what was refused for lack of money is not', async () => {
    const failed = await call('/v1/chat/completions', {
      ...QUESTION,
      messages: [{ role: 'user', content: '{"scripted":{"status":500}}' }],
    });
    expect(failed.status).toBeGreaterThanOrEqual(500);
    expect((await contentOf(failed.requestId)).body).toMatchObject({ ended: 'failed', answer: null });
    const poor = await makeAccount(stage.db, { creditUsd: '0' });
    await stage.db.pool.query('update api_keys set log_days = 7 where id = $1', [poor.keyId]);
    const refused = await call('/v1/chat/completions', QUESTION, poor.secret);
    expect(refused.status).toBe(402);
    const { rows } = await stage.db.pool.query('select from request_contents where workspace_id = $1', [
      poor.workspaceId,
    ]);
    expect(rows).toEqual([]);
  });

  test('the list says what has content, and filters by it', async () => {
    const { requestId } = await call('/v1/chat/completions', QUESTION);
    await contentOf(requestId);
    const listed = await send('GET', '/platform/v1/requests?content=true&limit=1');
    expect(listed.body.data).toMatchObject([{ id: requestId, has_content: true }]);
    const plain = await send('GET', '/platform/v1/requests?content=false&limit=100');
    const others = plain.body.data as { id: string; has_content: boolean }[];
    expect(others.length).toBeGreaterThan(0);
    expect(others.some((one) => one.has_content || one.id === requestId)).toBe(false);
    expect((await send('GET', '/platform/v1/requests/totals?content=true')).status).toBe(200);
    expect((await send('GET', '/platform/v1/requests?content=maybe')).status).toBe(422);
  });

  test('it is read with the scope contents alone, within the workspace; each reading is audited', async () => {
    const { requestId } = await call('/v1/chat/completions', QUESTION);
    expect((await contentOf(requestId, stage.keeping)).body.error.code).toBe('scope_not_allowed');
    expect((await contentOf(requestId, stage.manager)).status).toBe(403);
    const stranger = await makeAccount(stage.db, { creditUsd: '1' });
    const { workspaceId } = stranger;
    const spy = await createKey(stage.db.everywhere, { workspaceId, name: 'spy', scopes: ['contents'] });
    expect((await contentOf(requestId, spy.secret)).status).toBe(404);
    expect((await contentOf(requestId)).status).toBe(200);
    const { rows } = await stage.db.pool.query('select action from audit_entries where subject_id = $1', [requestId]);
    expect(rows).toEqual([{ action: 'read_content' }]);
    expect((await contentOf('req_x-y')).status).toBe(422);
  });

  test('an export has it decrypted, with the key', async () => {
    const { requestId } = await call('/v1/chat/completions', QUESTION);
    await contentOf(requestId);
    const exported = async (box?: ReturnType<typeof createContentBox>) => {
      let archive = '';
      await exportWorkspace(
        stage.db.read(stage.account.workspaceId),
        async (bytes) => void (archive += Buffer.from(bytes).toString()),
        box,
      );
      return archive
        .split('\n')
        .find((line) => line.includes(`"request_id":"${requestId}"`) && line.includes('expires'))!;
    };
    expect(JSON.parse(await exported(createContentBox(stage.contentsKey)))).toMatchObject({
      content: { request: QUESTION },
    });
    expect(JSON.parse(await exported())).toMatchObject({ content: null });
  });

  test('it is deleted at once, by request and by key, and by the sweep after its days', async () => {
    const first = (await call('/v1/chat/completions', QUESTION)).requestId;
    expect((await send('DELETE', `/platform/v1/requests/${first}/content`, undefined, stage.reader)).body).toEqual({
      id: first,
      object: 'request.content',
      deleted: true,
    });
    expect((await contentOf(first)).status).toBe(404);
    expect((await send('DELETE', `/platform/v1/requests/${first}/content`, undefined, stage.reader)).status).toBe(404);
    const second = (await call('/v1/chat/completions', QUESTION)).requestId;
    expect((await contentOf(second)).status).toBe(200);
    await stage.db.pool.query(
      `update request_contents set expires_at = now() - interval '1 second' where request_id = $1`,
      [second],
    );
    expect((await contentOf(second)).status).toBe(404);
    expect(await pruneContents(stage.db.pool)).toBe(1);
    await call('/v1/chat/completions', QUESTION);
    const all = await send('DELETE', `/platform/v1/keys/${stage.keepingId}/contents`, undefined, stage.reader);
    expect(all.body).toMatchObject({ id: stage.keepingId, object: 'api_key.contents' });
    expect(all.body.deleted).toBeGreaterThan(0);
    const { rows } = await stage.db.pool.query('select from request_contents where key_id = $1', [stage.keepingId]);
    expect(rows).toEqual([]);
    expect((await send('DELETE', '/platform/v1/keys/key_none/contents', undefined, stage.reader)).status).toBe(404);
  });
});

describe('log_days of a key', () => {
  test('is off by default, shown, changed within bounds, and audited', async () => {
    const { body: made } = await send('POST', '/console/v1/keys', { name: 'plain' });
    expect(made.log_days).toBe(0);
    const one = `/console/v1/keys/${made.id as string}`;
    expect((await send('PATCH', one, { log_days: 91 })).status).toBe(422);
    expect((await send('PATCH', one, { log_days: 30 })).body.log_days).toBe(30);
    expect((await send('GET', '/platform/v1/key', undefined, made.key as string)).body.log_days).toBe(30);
    const { rows } = await stage.db.pool.query<{ detail: object }>(
      `select detail from audit_entries where subject_id = $1 and action = 'change_key'`,
      [made.id],
    );
    expect(rows).toEqual([{ detail: { before: { log_days: 0 }, after: { log_days: 30 } } }]);
  });
});
