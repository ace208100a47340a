import { afterAll, describe, expect, test } from '@jest/globals';
import { createKey } from '../../../db/keys/keyStore.ts';
import { makeAccount } from '../../support/account.ts';
import { until } from '../../support/until.ts';
import { setStage } from '../platform/stage.ts';

const stage = await setStage();
const account = await makeAccount(stage.db, { creditUsd: '10' });
const { workspaceId } = account;
const manager = (await createKey(stage.db.everywhere, { workspaceId, name: 'manager', scopes: ['manage'] })).secret;
afterAll(() => stage.close());

interface Answer {
  status: number;
  body: Record<string, unknown> & {
    id: string;
    key: string;
    data: Record<string, unknown>[];
    error: { code: string; param: string; message: string };
  };
}

async function send(method: string, path: string, body?: object, key = manager, headers = {}): Promise<Answer> {
  const response = await fetch(stage.api.url + path, {
    method,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
    ...(body && { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: (await response.json()) as Answer['body'] };
}

const projects = '/platform/v1/projects';
const makeProject = async (body: object = {}) => (await send('POST', projects, { name: 'Shop', ...body })).body.id;
const makeKey = async (projectId: string) =>
  (await send('POST', '/console/v1/keys', { name: 'key', scopes: ['llm'], project_id: projectId })).body;
const chat = (key: string, headers: Record<string, string> = {}) =>
  send(
    'POST',
    '/v1/chat/completions',
    { model: 'ledgerline-text-1', messages: [{ role: 'user', content: 'Hi' }] },
    key,
    headers,
  );

describe('/platform/v1/projects', () => {
  test('a project is created, read, changed and listed behind the default one', async () => {
    const { status, body } = await send('POST', projects, {
      name: ' Shop ',
      spend_limit: 5,
      spend_limit_period: 'monthly',
    });
    expect({ status, body }).toEqual({
      status: 201,
      body: {
        id: expect.stringMatching(/^proj_/),
        object: 'project',
        name: 'Shop',
        status: 'active',
        created_at: expect.any(String),
        archived_at: null,
        spend_limit: 5,
        spend_limit_period: 'monthly',
        spend_limit_remaining: 5,
        spend_daily: 0,
        spend_monthly: 0,
        spend_total: 0,
        keys: 0,
      },
    });
    const changed = await send('PATCH', `${projects}/${body.id}`, { name: 'Store', spend_limit: null });
    expect(changed.body).toMatchObject({ name: 'Store', spend_limit: null, spend_limit_period: null });
    const { body: list } = await send('GET', projects);
    expect(list.data[0]).toMatchObject({ id: 'default', name: 'Default', created_at: null });
    expect(list.data.find(({ id }) => id === body.id)).toEqual(changed.body);
    expect((await send('GET', `${projects}/default`)).body).toMatchObject({ id: 'default', status: 'active' });
  });

  test('a retry with the same key makes no second one', async () => {
    const headers = { 'idempotency-key': 'once' };
    const [first, second] = [
      await send('POST', projects, { name: 'Once' }, manager, headers),
      await send('POST', projects, { name: 'Once' }, manager, headers),
    ];
    expect(second.body.id).toBe(first.body.id);
  });

  test.each([
    ['no name', {}, 'name'],
    ['an unknown member', { name: 'a', colour: 'red' }, null],
    ['a period without a ceiling', { name: 'a', spend_limit_period: 'daily' }, 'spend_limit_period'],
    ['a negative ceiling', { name: 'a', spend_limit: -1 }, 'spend_limit'],
  ])('%s is refused by name', async (_why, body, param) => {
    const answer = await send('POST', projects, body);
    expect(answer.status).toBe(422);
    if (param) expect(answer.body.error.param).toBe(param);
  });

  test('the default project cannot be changed, an unknown one not be found, and a key needs the scope to change', async () => {
    expect(await send('PATCH', `${projects}/default`, { name: 'x' })).toMatchObject({
      status: 409,
      body: { error: { code: 'default_project' } },
    });
    expect(await send('GET', `${projects}/proj_none`)).toMatchObject({
      status: 404,
      body: { error: { code: 'project_not_found' } },
    });
    expect((await send('POST', projects, { name: 'x' }, account.secret)).status).toBe(403);
  });

  test('what is done is in the audit, with the change', async () => {
    const id = await makeProject({ spend_limit: 2 });
    await send('PATCH', `${projects}/${id}`, { spend_limit: 3 });
    await send('PATCH', `${projects}/${id}`, { status: 'archived' });
    const text = 'select action, detail from audit_entries where subject_id = $1 order by created_at, id';
    const { rows } = await stage.db.pool.query(text, [id]);
    expect(rows.map(({ action }) => action)).toEqual(['create_project', 'change_project', 'archive_project']);
    expect(rows[1].detail).toEqual({ before: { spend_limit_usd: '2' }, after: { spend_limit_usd: '3' } });
  });
});

describe('calls of a project', () => {
  test('are shown, filtered and summed by it, also after their key has moved', async () => {
    // A month may end during the calls.
    const monthNow = () => new Date().toISOString().slice(0, 7);
    const begun = monthNow();
    const [from, to] = [await makeProject({ name: 'From' }), await makeProject({ name: 'To' })];
    const key = await makeKey(from);
    expect(key.project_id).toBe(from);
    await chat(key.key);
    expect((await send('PATCH', `/console/v1/keys/${key.id}`, { project_id: to })).body.project_id).toBe(to);
    await until(async () => (await chat(key.key, { 'openai-project': to })).status === 200);
    const inFrom = (await send('GET', `/platform/v1/requests?project=${from}`)).body.data;
    expect(inFrom).toMatchObject([{ project_id: from, key_id: key.id, status: 200 }]);
    expect((await send('GET', `/platform/v1/requests/totals?project=${to}`)).body.calls).toBeGreaterThanOrEqual(1);
    const usage = (await send('GET', '/platform/v1/usage?group_by=project')).body.data;
    expect(usage.find(({ project }) => project === from)).toMatchObject({ label: 'From', requests: 1 });
    expect((await send('GET', `/platform/v1/usage?project=${from}`)).body.total).toMatchObject({ requests: 1 });
    const latency = (await send('GET', '/platform/v1/usage/latency?group_by=project')).body.data;
    expect(latency).toContainEqual(expect.objectContaining({ project: from, requests: 1 }));
    const csv = await fetch(`${stage.api.url}/platform/v1/requests?format=csv&project=${from}`, {
      headers: { authorization: `Bearer ${manager}` },
    });
    expect(await csv.text()).toContain(`,${from},`);
    const found: string[] = [];
    for (const month of new Set([begun, monthNow()])) {
      const { body: statement } = await send('GET', `/platform/v1/billing/statement?month=${month}`);
      const byProject = statement.spend_by_project as { project_id: string; cost_usd: number }[];
      const sum = byProject.reduce((all, { cost_usd: usd }) => all + usd, 0);
      expect(sum).toBeCloseTo(statement.spend_usd as number, 9);
      found.push(...byProject.map(({ project_id: id }) => id));
    }
    expect(found).toEqual(expect.arrayContaining([from, to]));
  });

  test('stop at its ceiling with 402, and refused ones are counted in it', async () => {
    const id = await makeProject({ spend_limit: 0 });
    const key = await makeKey(id);
    expect(await chat(key.key)).toMatchObject({
      status: 402,
      body: { error: { code: 'project_spend_limit_reached' } },
    });
    const { data } = (await send('GET', `/platform/v1/requests?project=${id}`)).body;
    expect(data).toMatchObject([{ status: 402, project_id: id, error: { code: 'project_spend_limit_reached' } }]);
    const errors = (await send('GET', `/platform/v1/usage/errors?group_by=project&project=${id}`)).body.data;
    expect(errors).toMatchObject([{ project: id, refused: 1 }]);
  });

  test('are refused while it is archived, in words that say why, and its usage stays readable', async () => {
    const id = await makeProject();
    const key = await makeKey(id);
    expect((await chat(key.key)).status).toBe(200);
    expect((await send('PATCH', `${projects}/${id}`, { status: 'archived' })).body.status).toBe('archived');
    // Calls are answered until the API learns of it. A call that runs by then ends with 401 and may be billed.
    let answered = 1;
    await until(async () => {
      const { status } = await chat(key.key);
      if (status === 200) answered += 1;
      return status === 401;
    });
    expect((await chat(key.key)).body.error).toMatchObject({
      code: 'project_archived',
      message: expect.stringContaining('archived'),
    });
    const { requests } = (await send('GET', `/platform/v1/usage?project=${id}`)).body.total as { requests: number };
    expect([answered, answered + 1]).toContain(requests);
    expect(await makeKey(id)).toMatchObject({ error: { code: 'project_archived' } });
    await send('PATCH', `${projects}/${id}`, { status: 'active' });
    await until(async () => (await chat(key.key)).status === 200);
  });
});

describe('the header OpenAI-Project', () => {
  test('must name the project of the key, once the workspace has projects', async () => {
    const id = await makeProject();
    const key = await makeKey(id);
    expect((await chat(key.key, { 'openai-project': id })).status).toBe(200);
    expect((await chat(key.key, { 'openai-project': '' })).status).toBe(200);
    for (const named of ['proj_unknown', await makeProject()])
      expect(await chat(key.key, { 'openai-project': named })).toMatchObject({
        status: 401,
        body: {
          error: { code: 'mismatched_project', message: expect.stringContaining('OpenAI-Project header should match') },
        },
      });
    expect((await chat(account.secret, { 'openai-project': id })).status).toBe(401);
    expect((await chat(account.secret, { 'openai-project': 'default' })).status).toBe(200);
  });

  test('is ignored in a workspace without projects: it may be that of an account elsewhere', async () => {
    const other = await makeAccount(stage.db, { creditUsd: '1' });
    expect((await chat(other.secret, { 'openai-project': 'proj_elsewhere' })).status).toBe(200);
  });
});

test('an alert watches the spending of a project', async () => {
  const id = await makeProject({ name: 'Watched' });
  const budget = { type: 'spend', amount_usd: 1, period: 'monthly', project_id: id };
  const { body } = await send('POST', '/platform/v1/alerts', budget);
  expect(body).toMatchObject({ project_id: id, project_name: 'Watched', key_id: null, spent_usd: 0 });
  const key = await makeKey(id);
  await chat(key.key);
  const { spent_usd: spent } = (await send('GET', `/platform/v1/alerts/${body.id}`)).body;
  expect(spent).toBeGreaterThan(0);
  expect(spent).toBe((await send('GET', `${projects}/${id}`)).body.spend_monthly);
  expect((await send('POST', '/platform/v1/alerts', { ...budget, key_id: key.id })).body.error.param).toBe(
    'project_id',
  );
  expect((await send('POST', '/platform/v1/alerts', { ...budget, project_id: 'proj_none' })).status).toBe(404);
});
