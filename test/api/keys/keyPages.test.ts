import { afterAll, expect, test } from '@jest/globals';
import { createKey } from '../../../db/keys/keyStore.ts';
import { codeOf } from '../../support/guardStage.ts';
import { read } from '../../support/http.ts';
import { setKeyStage, type Managed } from './keyStage.ts';

interface KeyPage {
  object: string;
  data: Managed[];
  has_more: boolean;
  next_cursor: string | null;
}

const stage = await setKeyStage();
afterAll(() => stage.close());

const page = ({ secret }: { secret: string }, query: object = {}) =>
  read<KeyPage>(stage.call(secret, 'GET', `?${new URLSearchParams({ ...query }).toString()}`));
const namesOf = ({ data }: KeyPage) => data.map(({ name }) => name);

test('keys come twenty at a time unless more are asked for, the newest first, each once', async () => {
  const manager = await stage.manager();
  const { workspaceId } = manager;
  for (let at = 0; at < 24; at += 1)
    await createKey(stage.db.everywhere, { workspaceId, name: `key ${at}`, scopes: ['llm'] });
  const first = await page(manager);
  expect(first).toMatchObject({ object: 'list', has_more: true });
  expect(namesOf(first)).toEqual(Array.from({ length: 20 }, (_, at) => `key ${23 - at}`));
  const second = await page(manager, { cursor: first.next_cursor });
  expect(namesOf(second)).toEqual(['key 3', 'key 2', 'key 1', 'key 0', 'operations']);
  expect(second).toMatchObject({ has_more: false, next_cursor: null });
  expect((await page(manager, { limit: '100' })).data).toHaveLength(25);
});

test('keys are found by a part of their name or prefix, or by their id, as it is written', async () => {
  const manager = await stage.manager();
  const made = await stage.make(manager, { name: 'Shop 100% _live' });
  await stage.make(manager, { name: 'Shop 1000' });
  expect(namesOf(await page(manager, { search: 'sHOp' }))).toEqual(['Shop 1000', 'Shop 100% _live']);
  for (const search of ['100%', '% _LI', made.prefix, made.id, made.id.slice(0, -1)]) {
    const found = search === made.id.slice(0, -1) ? [] : ['Shop 100% _live'];
    expect({ search, found: namesOf(await page(manager, { search })) }).toEqual({ search, found });
  }
});

test('keys are filtered by status, scope, project and maker; a cursor is of its filters alone', async () => {
  const manager = await stage.manager();
  const { workspaceId } = manager;
  const own = { workspaceId, scopes: ['llm'] };
  await createKey(stage.db.everywhere, { ...own, name: 'over', expiresAt: new Date(Date.now() - 1_000) });
  await createKey(stage.db.everywhere, { ...own, name: 'of ada', ownerUserId: 'usr_ada', scopes: ['voice'] });
  const gone = await stage.make(manager, { name: 'gone' });
  await read(stage.call(manager.secret, 'DELETE', `/${gone.id}`));
  const cases: [query: object, names: string[]][] = [
    [{ status: 'live' }, ['of ada', 'operations']],
    [{ status: 'expired' }, ['over']],
    [{ status: 'revoked' }, ['gone']],
    [{ scope: 'voice', status: 'live' }, ['of ada']],
    [{ owner_user_id: 'usr_ada' }, ['of ada']],
    [{ project: 'default', scope: 'manage' }, ['operations']],
    [{ project: 'proj_none' }, []],
  ];
  for (const [query, names] of cases) expect([query, namesOf(await page(manager, query))]).toEqual([query, names]);
  const { next_cursor: cursor } = await page(manager, { limit: '1' });
  for (const query of [{ cursor: cursor!, status: 'live' }, { limit: '101' }, { status: 'open' }]) {
    const refused = await stage.call(manager.secret, 'GET', `?${new URLSearchParams(query as never).toString()}`);
    expect([refused.status, await codeOf(refused)]).toEqual([422, 'validation_error']);
  }
});
