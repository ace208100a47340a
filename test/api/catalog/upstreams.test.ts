import { afterAll, describe, expect, test } from '@jest/globals';
import { startScripted, listen } from '../../../rules/scripted/startScripted.ts';
import { codeOf, told } from '../../support/guardStage.ts';
import { getJson, read } from '../../support/http.ts';
import { textModel } from '../../support/startApi.ts';
import { at, setCatalogStage } from './catalogStage.ts';

const key = 'sk-other-very-secret-W9x4';

interface UpstreamBody {
  id: string;
  key: { source: string; last4: string | null } | null;
  is_disabled: boolean;
  source: string;
  changed_by: string | null;
  models: string[];
}

interface ProbeBody {
  ok: boolean;
  status: number | null;
  models: number | null;
  missing_models: string[];
  error: string | null;
}

const stage = await setCatalogStage();
const other = await startScripted();
afterAll(async () => {
  await other.stop();
  await stage.close();
});

const add = (body: object) => stage.call(`${at}/upstreams`, { body });
const change = (id: string, body: object) => stage.call(`${at}/upstreams/${id}`, { method: 'PATCH', body });
const giveBack = (kind: string, id: string) => stage.call(`${at}/${kind}/${id}/return`, { method: 'POST' });
const list = async () => {
  const { body } = await getJson<{ data: UpstreamBody[] }>(`${stage.api.url}${at}/upstreams`, stage.ada.secret);
  return body.data;
};
const probe = (id: string) => read<ProbeBody>(stage.call(`${at}/upstreams/${id}/probe`, { method: 'POST' }));

describe('an upstream of operators', () => {
  test('gets calls with its key, which is sealed and never shown again', async () => {
    const made = await read<UpstreamBody>(add({ id: 'other', base_url: other.url, api_key: key }), 201);
    expect(made).toMatchObject({ source: 'added', changed_by: 'Ada', key: { source: 'sealed', last4: 'W9x4' } });
    const places = [
      { upstream: 'other', model: 'elsewhere' },
      { upstream: 'main', model: 'scripted' },
    ];
    await read(stage.change(textModel, { upstreams: places }));
    expect((await stage.chat()).status).toBe(200);
    expect(other.calls().at(-1)).toMatchObject({
      headers: { authorization: `Bearer ${key}` },
      body: { model: 'elsewhere' },
    });
    await read(stage.change(textModel, { upstreams: places.toReversed() }));
    other.reset();
    expect((await stage.chat()).status).toBe(200);
    expect(other.calls()).toEqual([]);
    const shown = [
      JSON.stringify(await list()),
      JSON.stringify((await stage.db.pool.query('select * from catalog_changes')).rows),
      JSON.stringify((await stage.db.pool.query('select * from audit_entries')).rows),
      stage.api.lines.join('\n'),
    ];
    for (const text of shown) expect(text).not.toContain(key);
  });

  test('takes its key to no other address', async () => {
    const moved = await change('other', { base_url: `${other.url}/elsewhere` });
    expect(moved.status).toBe(422);
    expect(await moved.json()).toMatchObject({ error: { param: 'api_key' } });
    await read(change('other', { base_url: `${other.url}/elsewhere`, api_key: null }));
    expect((await list()).find(({ id }) => id === 'other')).toMatchObject({ key: null });
    await read(change('other', { base_url: other.url, api_key: key }));
  });

  test('is passed over while it is disabled, and its calls end normally', async () => {
    const places = [
      { upstream: 'other', model: 'elsewhere' },
      { upstream: 'main', model: 'scripted' },
    ];
    await read(stage.change(textModel, { upstreams: places }));
    other.reset();
    const messages = told({ text: 'One two three. '.repeat(30), chunks: 30, delayMs: 10 });
    const running = await stage.chat({ stream: true, messages });
    await read(change('other', { disabled: true }));
    expect((await stage.chat()).status).toBe(200);
    expect(other.calls()).toHaveLength(1);
    expect(await running.text()).toContain('[DONE]');
    expect((await stage.model()).upstreams[0]).toMatchObject({ upstream: 'other', is_disabled: true });
    const needed = await change('main', { disabled: true });
    expect([needed.status, await codeOf(needed)]).toEqual([409, 'upstream_in_use']);
    await read(change('other', { disabled: false }));
  });

  test('is not removed while a model names it', async () => {
    const refused = await giveBack('upstreams', 'other');
    expect([refused.status, await codeOf(refused)]).toEqual([409, 'upstream_in_use']);
    await read(giveBack('models', textModel));
    expect(await read(giveBack('upstreams', 'other'))).toMatchObject({ deleted: true });
    expect((await list()).map(({ id }) => id)).not.toContain('other');
    expect((await change('other', { disabled: true })).status).toBe(404);
    expect((await stage.chat()).status).toBe(200);
  });

  test.each([
    [{ id: 'bad', base_url: 'file:///etc/passwd' }, 'base_url'],
    [{ id: 'bad', base_url: 'http://user:secret@host/v1' }, 'base_url'],
    [{ id: 'bad', base_url: 'http://169.254.169.254/latest' }, 'base_url'],
    [{ id: 'bad', base_url: 'http://[fe80::1]/v1' }, 'base_url'],
    [{ id: 'bad', base_url: 'http://[::ffff:169.254.169.254]/latest' }, 'base_url'],
    [{ id: 'bad', base_url: 'http://[64:ff9b::169.254.169.254]/latest' }, 'base_url'],
    [{ id: 'bad', base_url: 'http://[fd00:ec2::254]/latest' }, 'base_url'],
    [{ id: 'bad name', base_url: 'http://host/v1' }, 'id'],
    [{ id: 'bad', base_url: 'http://host/v1', api_key: 'with space' }, 'api_key'],
    [{ id: 'bad', base_url: 'http://host/v1', setup: 'x' }, 'setup'],
  ])('%j is refused', async (body, param) => {
    const answer = await add(body);
    expect(answer.status).toBe(422);
    expect(await answer.json()).toMatchObject({ error: { param } });
  });

  test('is the matter of operators', async () => {
    for (const by of [stage.customer, await stage.account({ scopes: ['operator'] })]) {
      const answers = await Promise.all([
        stage.call(`${at}/upstreams`, { by }),
        stage.call(`${at}/models`, { by }),
        stage.call(`${at}/prices`, { by }),
        stage.call(`${at}/upstreams/main/probe`, { by, method: 'POST' }),
      ]);
      expect(answers.map(({ status }) => status)).toEqual([403, 403, 403, 403]);
    }
  });
});

describe('a probe', () => {
  test('tells how long an upstream took, and which models it lacks', async () => {
    expect(await probe('main')).toMatchObject({ ok: true, status: 200, models: 1, missing_models: [], error: null });
    await read(stage.change(textModel, { upstreams: [{ upstream: 'main', model: 'unknown-there' }] }));
    expect(await probe('main')).toMatchObject({ ok: true, missing_models: ['unknown-there'] });
    await read(giveBack('models', textModel));
    expect(await probe('voice')).toMatchObject({ ok: true, status: null });
    expect((await stage.call(`${at}/upstreams/none/probe`, { method: 'POST' })).status).toBe(404);
  });

  test.each([
    [401, {}, 'It refuses the key (401).'],
    [302, { location: 'http://127.0.0.1:1/' }, 'It redirects to another address (302), which is not followed.'],
    [200, {}, 'It answered with something that is not a list of models.'],
  ])('of an upstream that answers %d says why it failed', async (status, headers, error) => {
    const asked: string[] = [];
    const server = await listen(0, (request, response) => {
      asked.push(`${request.url} ${request.headers.authorization}`);
      response.writeHead(status, headers).end('{"secret": "body"}');
    });
    await read(add({ id: 'odd', base_url: `${server.url}/v1`, api_key: key }), 201);
    const probed = await probe('odd');
    expect(probed).toMatchObject({ ok: false, status, error });
    expect(JSON.stringify(probed)).not.toContain('secret');
    expect(asked).toEqual([`/v1/models Bearer ${key}`]);
    await read(giveBack('upstreams', 'odd'));
    await server.stop();
  });

  test('of an upstream that is not there says so', async () => {
    await read(add({ id: 'gone', base_url: 'http://127.0.0.1:1/v1' }), 201);
    expect(await probe('gone')).toMatchObject({
      ok: false,
      status: null,
      error: expect.stringContaining('ECONNREFUSED'),
    });
    await read(giveBack('upstreams', 'gone'));
  });
});
