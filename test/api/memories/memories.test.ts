import { afterAll, describe, expect, test } from '@jest/globals';
import { newId } from '../../../db/ids.ts';
import { createKey } from '../../../db/keys/keyStore.ts';
import { pruneMemories } from '../../../db/memories/memories.ts';
import { insertProject } from '../../../db/projects/projects.ts';
import { errorOf, read, setRunRouteStage } from '../../support/runRouteStage.ts';

interface MemoryBody {
  id: string;
  text: string;
  user: string;
  agent: string;
}
interface PageBody {
  data: MemoryBody[];
  has_more: boolean;
  next_cursor: string | null;
}

const stage = await setRunRouteStage();
afterAll(() => stage.close());

/** Straight into the table: only a step of a run remembers. */
async function remember(
  text: string,
  {
    user,
    agent = 'acme/helper',
    workspaceId = stage.mine.workspaceId,
    projectId = null,
    days,
  }: {
    user: string;
    agent?: string;
    workspaceId?: string;
    projectId?: string | null;
    days?: number;
  },
): Promise<string> {
  const id = newId('mem');
  const expiresAt = days === undefined ? null : new Date(Date.now() + days * 86_400_000);
  const of = { id, workspaceId, projectId, agentId: 'agent_a', agent, endUser: user, text, runId: 'run_a', expiresAt };
  await stage.db.everywhere.statement(({ em, Memory }) => em.insert(Memory, of));
  return id;
}

const list = async (query: string, key?: string) =>
  read<PageBody>(await stage.call(`/v1/memories?${query}`, { ...(key && { key }) }), 200);
const textsOf = async (query: string, key?: string) => (await list(query, key)).data.map(({ text }) => text);
const remove = (path: string, key?: string) =>
  stage.call(`/v1/memories${path}`, { method: 'DELETE', ...(key && { key }) });

const auditOf = async (action: string) =>
  (
    await stage.db.pool.query('select subject_id, detail from audit_entries where workspace_id = $1 and action = $2', [
      stage.mine.workspaceId,
      action,
    ])
  ).rows as { subject_id: string; detail: object }[];

describe('memories', () => {
  test('are listed newest first, by user, by agent and by words', async () => {
    await remember('Likes green tea.', { user: 'ada' });
    await remember('Lives in London.', { user: 'ada', agent: 'acme/guide' });
    await remember('Drinks coffee.', { user: 'bob' });
    expect(await textsOf('')).toEqual(['Drinks coffee.', 'Lives in London.', 'Likes green tea.']);
    expect(await textsOf('user=ada')).toEqual(['Lives in London.', 'Likes green tea.']);
    expect(await textsOf('user=ada&agent=acme/helper')).toEqual(['Likes green tea.']);
    expect(await textsOf('user=ada&query=teas')).toEqual(['Likes green tea.']);
    expect(await textsOf('user=ada&query=the')).toEqual([]);
    expect(await textsOf(`user=ada&query=${encodeURIComponent("' | !( & <->")}`)).toEqual([]);
    const page = await list('user=ada&limit=1');
    expect([page.has_more, await textsOf(`user=ada&limit=1&cursor=${page.next_cursor}`)]).toEqual([
      true,
      ['Likes green tea.'],
    ]);
  });

  test('are searched for one user only', async () => {
    expect(await errorOf(await stage.call('/v1/memories?query=tea'))).toMatchObject({ status: 422, param: 'query' });
    expect(await errorOf(await remove(''))).toMatchObject({ status: 422, param: 'user' });
  });

  test('are read and deleted one by one, audited without their text', async () => {
    const id = await remember('Owns a boat.', { user: 'carl' });
    expect(await read<MemoryBody>(await stage.call(`/v1/memories/${id}`), 200)).toEqual({
      id,
      object: 'memory',
      agent: 'acme/helper',
      user: 'carl',
      project_id: null,
      text: 'Owns a boat.',
      run_id: 'run_a',
      created_at: expect.any(String),
      updated_at: expect.any(String),
      expires_at: null,
    });
    expect(await (await remove(`/${id}`)).json()).toEqual({ id, object: 'memory', deleted: true });
    for (const answer of [await stage.call(`/v1/memories/${id}`), await remove(`/${id}`)])
      expect(await errorOf(answer)).toMatchObject({ status: 404, code: 'memory_not_found' });
    expect(await auditOf('delete_memory')).toEqual([
      { subject_id: id, detail: { agent: 'acme/helper', user: 'carl' } },
    ]);
  });

  test('of a user are deleted together, of one agent or of all', async () => {
    for (const agent of ['acme/helper', 'acme/guide', 'acme/third']) await remember('x', { user: 'dora', agent });
    const kept = await remember('y', { user: 'eve' });
    const answer = (deleted: number, agent: string | null) => ({
      object: 'memory.deletion',
      user: 'dora',
      agent,
      deleted,
    });
    expect(await (await remove('?user=dora&agent=acme/guide')).json()).toEqual(answer(1, 'acme/guide'));
    expect(await (await remove('?user=dora')).json()).toEqual(answer(2, null));
    expect(await (await remove('?user=dora')).json()).toEqual(answer(0, null));
    expect((await stage.call(`/v1/memories/${kept}`)).status).toBe(200);
    expect((await auditOf('delete_memories')).map(({ detail }) => detail)).toContainEqual({ user: 'dora', deleted: 2 });
  });

  test('of another workspace are not seen, and not deleted', async () => {
    const id = await remember('Only mine.', { user: 'ada' });
    const { secret: key } = stage.other;
    expect(await textsOf('', key)).toEqual([]);
    expect(await textsOf('user=ada', key)).toEqual([]);
    expect((await stage.call(`/v1/memories/${id}`, { key })).status).toBe(404);
    expect(await (await remove('?user=ada', key)).json()).toMatchObject({ deleted: 0 });
    expect((await stage.call(`/v1/memories/${id}`)).status).toBe(200);
  });

  test('of another project are not seen, and not deleted, by a key of a project', async () => {
    const { workspaceId } = stage.mine;
    const projectId = newId('proj');
    const by = { keyId: null, requestId: newId('req') };
    await insertProject(stage.db.write(workspaceId), {
      id: projectId,
      by,
      name: 'own',
      spendLimitNanos: null,
      spendLimitPeriod: null,
    });
    const { secret } = await createKey(stage.db.everywhere, { workspaceId, name: 'k', scopes: ['llm'], projectId });
    const outside = await remember('Of no project.', { user: 'flo' });
    await remember('Of the project.', { user: 'flo', projectId });
    expect(await textsOf('user=flo', secret)).toEqual(['Of the project.']);
    expect((await stage.call(`/v1/memories/${outside}`, { key: secret })).status).toBe(404);
    expect((await remove(`/${outside}`, secret)).status).toBe(404);
    expect(await (await remove('?user=flo', secret)).json()).toMatchObject({ deleted: 1 });
    expect(await textsOf('user=flo')).toEqual(['Of no project.']);
  });

  test('whose days have passed are hidden, and deleted by the sweep', async () => {
    const id = await remember('Old.', { user: 'gus', days: -1 });
    const fresh = await remember('New.', { user: 'gus', days: 1 });
    expect(await textsOf('user=gus')).toEqual(['New.']);
    expect((await stage.call(`/v1/memories/${id}`)).status).toBe(404);
    expect(await pruneMemories(stage.db.pool)).toBe(1);
    const { rows } = await stage.db.pool.query(`select id from memories where end_user = 'gus'`);
    expect(rows).toEqual([{ id: fresh }]);
  });

  test('are all listed while those of each page are deleted', async () => {
    for (const text of ['One.', 'Two.', 'Three.']) await remember(text, { user: 'ivy' });
    const seen: string[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const page: PageBody = await list(`user=ivy&limit=1${cursor && `&cursor=${cursor}`}`);
      for (const { id, text } of page.data) {
        seen.push(text);
        await read(await remove(`/${id}`), 200);
      }
      cursor = page.next_cursor;
    }
    expect(seen).toEqual(['Three.', 'Two.', 'One.']);
  });

  test('need the scope of agents', async () => {
    const { workspaceId } = stage.mine;
    const { secret } = await createKey(stage.db.everywhere, { workspaceId, name: 'k', scopes: ['voice'] });
    expect((await stage.call('/v1/memories', { key: secret })).status).toBe(403);
    expect((await remove('?user=ada', secret)).status).toBe(403);
  });
});
