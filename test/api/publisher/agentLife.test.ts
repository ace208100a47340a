import { afterAll, describe, expect, test } from '@jest/globals';
import type { OpenApiDocument } from '../../../api/docs/openapi/schemas.ts';
import { createComparison } from '../../support/documented.ts';
import { errorOf, setRunRouteStage } from '../../support/runRouteStage.ts';

const stage = await setRunRouteStage();
const publisher = await stage.account({ scopes: ['publisher', 'agents'] });
await stage.db.pool.query(
  `insert into namespaces (name, workspace_id, provider_name) values ('test', $1, 'Test') on conflict do nothing`,
  [publisher.workspaceId],
);
const comparison = createComparison((await (await stage.ask('/openapi.json')).json()) as OpenApiDocument);
afterAll(() => stage.close());

const AGENTS = '/v1/publisher/agents';

/** A request of the publisher, whose answer is as documented. */
async function ask(method: string, path: string, body?: object, key = publisher.secret): Promise<Response> {
  const response = await stage.call(path, { method, key, ...(body && { body }) });
  expect(await comparison.differences(method, path, response)).toEqual([]);
  return response;
}

const refusal = async (...asked: Parameters<typeof ask>) => errorOf(await ask(...asked));

async function publish(visibility: 'public' | 'private' = 'public') {
  const name = await stage.publish({}, { workspaceId: publisher.workspaceId, visibility });
  const { rows } = await stage.db.pool.query<{ id: string; version: string }>(
    `select a.id, v.id as version from agents a join agent_versions v on v.agent_id = a.id where a.slug = $1`,
    [name.split('/')[1]],
  );
  return { name, path: `${AGENTS}/${rows[0]!.id}`, version_id: rows[0]!.version };
}

/** Whether an agent is in the list of models, and is found by name. */
async function isModel(name: string): Promise<boolean[]> {
  const { data } = (await (await stage.call('/v1/models')).json()) as { data: { id: string }[] };
  return [data.some(({ id }) => id === name), (await stage.call(`/v1/models/${name}`)).status === 200];
}

describe('channels', () => {
  test('are listed after stable, moved, and removed', async () => {
    const { name, path, version_id } = await publish();
    const stable = { name: 'stable', agent: `${name}@stable`, version_id, status: 'active', next: null };
    expect(await (await ask('GET', `${path}/channels`)).json()).toMatchObject({ data: [stable] });
    const beta = { name: 'beta', agent: `${name}@beta`, version_id, version: '2026-01-01', previous_version_id: null };
    expect(await (await ask('PUT', `${path}/channels/beta`, { version_id })).json()).toMatchObject(beta);
    expect(await (await ask('GET', `${path}/channels`)).json()).toMatchObject({ data: [stable, beta] });
    expect(await (await stage.call(`/v1/agents/${name}`)).json()).toMatchObject({
      channels: [{ name: 'beta', agent: `${name}@beta`, upcoming_version: null }],
    });
    expect(await (await stage.call(`/v1/agents/${name}@beta`)).json()).toMatchObject({ id: `${name}@beta` });
    expect((await stage.call(`/v1/agents/${name}@gamma`)).status).toBe(404);
    expect(await (await ask('DELETE', `${path}/channels/beta`)).json()).toMatchObject({ name: 'beta', deleted: true });
    expect((await stage.post({ agent: `${name}@beta` })).status).toBe(404);
  });

  test('refuse reserved and malformed names, and versions that are not public', async () => {
    const { path, version_id } = await publish();
    const put = (name: string, body: object = { version_id }) => refusal('PUT', `${path}/channels/${name}`, body);
    expect(await put('stable')).toMatchObject({ status: 409, code: 'channel_reserved' });
    expect(await refusal('DELETE', `${path}/channels/stable`)).toMatchObject({ code: 'channel_reserved' });
    for (const name of ['Beta', '1st', 'aver_1', 'a'.repeat(33)])
      expect(await put(name)).toMatchObject({ status: 422, param: 'channel' });
    expect(await put('beta', { version_id: 'aver_0' })).toMatchObject({
      status: 404,
      code: 'agent_version_not_found',
      param: 'version_id',
    });
    expect(await put('beta', { version: '2026-01-01' })).toMatchObject({ status: 422, param: 'version_id' });
    expect(await refusal('DELETE', `${path}/channels/beta`)).toMatchObject({ status: 404, code: 'channel_not_found' });
    const other = await publish();
    expect(await put('beta', { version_id: other.version_id })).toMatchObject({ code: 'agent_version_not_found' });
    expect(await refusal('PUT', `${path}/channels/beta`, { version_id }, stage.mine.secret)).toMatchObject({
      status: 403,
    });
  });

  test('say of a version in review to wait for its end', async () => {
    const { path, version_id } = await publish();
    const review = `update deployments set status = 'in_review', activated_at = null where version_id = $1`;
    await stage.db.pool.query(review, [version_id]);
    expect(await (await ask('PUT', `${path}/channels/beta`, { version_id })).json()).toMatchObject({
      error: {
        code: 'version_not_approved',
        message: expect.stringContaining('submit it for review, or wait until its review ends'),
      },
    });
  });

  test('are at most 20 of an agent', async () => {
    const { path, version_id } = await publish();
    for (let at = 0; at < 20; at += 1) await ask('PUT', `${path}/channels/c${at}`, { version_id });
    const more = await refusal('PUT', `${path}/channels/more`, { version_id });
    expect(more).toMatchObject({ status: 409, code: 'too_many_channels' });
    expect((await ask('PUT', `${path}/channels/c0`, { version_id })).status).toBe(200);
  });
});

describe('the end of an agent', () => {
  test('is refused for one that is not public; deletion for one that is', async () => {
    const [open, own] = [await publish(), await publish('private')];
    const message = 'No more.';
    expect(await refusal('POST', `${own.path}/take-down`, { message })).toMatchObject({ code: 'agent_not_public' });
    expect(await refusal('DELETE', open.path)).toMatchObject({ status: 409, code: 'agent_published' });
    expect(await (await ask('DELETE', own.path)).json()).toMatchObject({ object: 'publisher.agent', deleted: true });
    expect((await ask('GET', own.path)).status).toBe(404);
    const { path } = open;
    expect(await refusal('POST', `${path}/take-down`, { message: ' ' })).toMatchObject({ param: 'message' });
    expect(await refusal('POST', `${path}/deprecate`, { sunset_at: 'soon' })).toMatchObject({ param: 'sunset_at' });
    const versions = '/v1/publisher/agent-versions';
    expect(await refusal('DELETE', `${versions}/${open.version_id}`)).toMatchObject({ code: 'version_submitted' });
  });

  test('shows in the publisher’s answer, and is taken back', async () => {
    const { name, path } = await publish();
    const down = { taken_down: { message: 'No more.', at: expect.any(String) }, deprecation: null };
    expect(await (await ask('POST', `${path}/take-down`, { message: 'No more.' })).json()).toMatchObject(down);
    expect(await errorOf(await stage.post({ agent: name }))).toMatchObject({ status: 409, code: 'agent_taken_down' });
    expect(await isModel(name)).toEqual([false, false]);
    const restored = await (await ask('POST', `${path}/restore`)).json();
    expect(restored).toMatchObject({ taken_down: null });
    expect(await isModel(name)).toEqual([true, true]);
    expect((await stage.post({ agent: name })).status).toBe(202);
  });
});
