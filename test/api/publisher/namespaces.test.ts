import { afterAll, expect, test } from '@jest/globals';
import { setGuardStage, codeOf } from '../../support/guardStage.ts';
import { newNamespace, setPublishers } from './publisherStage.ts';

const guards = await setGuardStage();
const stage = { ...guards, ...(await setPublishers(guards)) };
afterAll(() => stage.close());

interface Namespace {
  name: string;
  provider_name: string;
  website: string | null;
  verified: boolean;
}

async function makeNamespace(): Promise<string> {
  return (await stage.makeAgent({}, newNamespace())).name.split('/')[0]!;
}

const own = (name: string) => `/v1/publisher/namespaces/${name}`;
const change = (name: string, body: object) => stage.call(own(name), { method: 'PATCH', body });
const verify = (name: string, body?: object, headers = {}) =>
  stage.call(`/console/v1/namespaces/${name}/verify`, { key: stage.operator.secret, method: 'POST', body, headers });

async function auditOf(name: string): Promise<string[]> {
  const { rows } = await stage.db.pool.query(
    `select action from audit_entries where subject_type = 'namespace' and subject_id = $1 order by created_at, id`,
    [name],
  );
  return rows.map(({ action }) => action as string);
}

test("returns a namespace's provider profile, which its publisher can change", async () => {
  const name = await makeNamespace();
  const first = await stage.read<Namespace>(stage.call(own(name)), 200);
  expect(first).toMatchObject({ name, object: 'publisher.namespace', provider_name: 'test', website: null });
  const body = { provider_name: 'Acme', website: 'https://acme.example' };
  expect(await stage.read(change(name, body), 200)).toMatchObject(body);
  expect(await stage.read(change(name, { website: null }), 200)).toMatchObject({
    provider_name: 'Acme',
    website: null,
  });
  for (const wrong of [
    { verified: true },
    { website: 'http://acme.example' },
    { provider_name: '' },
    { provider_name: 'Ledgerline Official' },
  ])
    expect((await change(name, wrong)).status).toBe(422);
});

test('a verification by an operator is audited, and is reset by a change', async () => {
  const name = await makeNamespace();
  const headers = { 'idempotency-key': `verify-${name}` };
  const bodies = [await verify(name, undefined, headers), await verify(name, undefined, headers)];
  expect(await bodies[0]!.json()).toMatchObject({ name, verified: true });
  expect(bodies[1]!.headers.get('idempotent-replayed')).toBe('true');
  expect(await stage.read(change(name, { provider_name: 'test' }), 200)).toMatchObject({ verified: true });
  expect(await stage.read(change(name, { provider_name: 'Another' }), 200)).toMatchObject({ verified: false });
  await stage.read(verify(name, { verified: true }), 200);
  expect(await stage.read(verify(name, { verified: false }), 200)).toMatchObject({ verified: false });
  expect(await auditOf(name)).toEqual(['verify', 'verify', 'unverify']);
});

test("another workspace's namespace is 404, and publishers cannot verify a provider", async () => {
  const name = await makeNamespace();
  const key = stage.stranger.secret;
  for (const asked of [name, 'nobody-has-this']) {
    const read = await stage.call(own(asked), { key });
    const changed = await stage.call(own(asked), { key, method: 'PATCH', body: { provider_name: 'Mine' } });
    expect([read.status, await codeOf(read)]).toEqual([404, 'namespace_not_found']);
    expect([changed.status, await codeOf(changed)]).toEqual([404, 'namespace_not_found']);
  }
  expect((await stage.call(`/console/v1/namespaces/${name}/verify`, { method: 'POST' })).status).toBe(403);
  expect((await verify('nobody-has-this')).status).toBe(404);
  expect((await stage.call(own('Not--good'))).status).toBe(422);
});

test('returns the review queue in pages', async () => {
  const ids: string[] = [];
  for (const agent of [await stage.makeAgent(), await stage.makeAgent(), await stage.makeAgent()])
    ids.push((await stage.read<{ id: string }>(stage.submit(agent.id), 200)).id);
  const key = stage.operator.secret;
  const seen: string[] = [];
  for (let query = '?limit=2'; query !== '';) {
    const page = await stage.read<{ data: { id: string }[]; next_cursor: string | null }>(
      stage.call(`/console/v1/reviews${query}`, { key }),
      200,
    );
    seen.push(...page.data.map(({ id }) => id));
    query = page.next_cursor === null ? '' : `?limit=2&cursor=${page.next_cursor}`;
  }
  expect(seen).toEqual(ids);
});

test("an operator's feedback is audited", async () => {
  const agent = await stage.makeAgent();
  const { id } = await stage.read<{ id: string }>(stage.submit(agent.id), 200);
  const said = await stage.read<{ audit: { action: string }[] }>(
    stage.call(`/console/v1/deployments/${id}/comments`, { key: stage.operator.secret, body: { message: 'Soon.' } }),
    201,
  );
  expect(said.audit.map(({ action }) => action)).toEqual(['comment']);
});
