import { afterAll, describe, expect, test } from '@jest/globals';
import { eraseWorkspace, listDueErasures } from '../../../db/erasure/eraseWorkspace.ts';
import { updateProject } from '../../../db/projects/projects.ts';
import { seedAgents } from '../../../db/publishing/houseAgents.ts';
import { findPlatformWorkspaceId } from '../../../db/workspaces/workspaces.ts';
import { setDeviceStage, type Person } from './deviceStage.ts';

const stage = await setDeviceStage();
await seedAgents(stage.db.everywhere);
afterAll(() => stage.close());

const denied = { status: 400, body: { error: { code: 'access_denied' } } };
const userOf = ({ me }: Person) => me.user.id;
const placeOf = ({ me }: Person) => me.workspace.id;

const setRole = (person: Person, role: string) =>
  stage.db.pool.query('update members set role = $2 where user_id = $1', [userOf(person), role]);
const by = { keyId: null, requestId: 'req_test' };

describe('a device login is approved', () => {
  test('by people who call products, with no more than their role gives', async () => {
    const dora = await stage.person({ name: 'Dora' });
    const codes = await stage.begin();
    await setRole(dora, 'finance');
    expect(await stage.approve(dora, codes)).toMatchObject({
      status: 403,
      body: { error: { code: 'role_not_allowed' } },
    });
    await setRole(dora, 'publisher');
    expect(await stage.approve(dora, codes, { scopes: ['batch'] })).toMatchObject({
      status: 403,
      body: { error: { code: 'scope_not_grantable', param: 'scopes' } },
    });
    await setRole(dora, 'developer');
    const read = await dora.post<{ workspaces: { scopes: string[] }[] }>('device/read', {
      user_code: codes.user_code,
    });
    expect(read.body.workspaces[0]!.scopes).toEqual(['llm', 'voice', 'batch', 'agents', 'contents']);
    for (const scope of ['publisher', 'manage', 'operator'])
      expect(await stage.approve(dora, codes, { scopes: [scope] })).toMatchObject({
        status: 403,
        body: { error: { code: 'scope_not_grantable', param: 'scopes' } },
      });
    expect((await stage.approve(dora, codes, { scopes: ['llm', 'contents'] })).status).toBe(200);
    expect((await stage.fetchKey(codes)).body.key.scopes).toEqual(['llm', 'contents']);
  });

  test('by a publisher, for what a publisher does', async () => {
    const paul = await stage.person({ name: 'Paul' });
    await setRole(paul, 'publisher');
    const codes = await stage.approved(paul, { scopes: ['llm', 'publisher'] });
    expect((await stage.fetchKey(codes)).body.key.scopes).toEqual(['llm', 'publisher']);
  });

  test('for a workspace of the person, chosen by its id; a stranger’s is as if it did not exist', async () => {
    const [ada, ben] = [await stage.person({ name: 'Ada' }), await stage.person({ name: 'Ben' })];
    const codes = await stage.begin();
    const unknown = (await stage.approve(ada, codes, { workspace_id: 'ws_unknown' })).body.error;
    const foreign = await stage.approve(ada, codes, { workspace_id: placeOf(ben) });
    expect(foreign.status).toBe(404);
    expect(foreign.body.error.message.replace(placeOf(ben), 'ws_unknown')).toBe(unknown.message);
    await stage.join(ada, placeOf(ben), 'developer');
    expect((await stage.approve(ada, codes, { workspace_id: placeOf(ben) })).status).toBe(200);
    expect((await stage.fetchKey(codes)).body.workspace).toMatchObject({ id: placeOf(ben), mode: 'live' });
  });

  test('with a recent sign-in, by a page of the console: never with a key', async () => {
    const ada = await stage.person();
    const codes = await stage.begin();
    await stage.db.pool.query(`update user_sessions set created_at = now() - interval '13 hours' where user_id = $1`, [
      userOf(ada),
    ]);
    expect(await stage.approve(ada, codes)).toMatchObject({
      status: 403,
      body: { error: { code: 'recent_login_required' } },
    });
    const body = { user_code: codes.user_code };
    const csrf = await ada.send('POST', '/console/v1/device/deny', body, { 'x-ledgerline-csrf': '' });
    expect(csrf).toMatchObject({ status: 403, body: { error: { code: 'csrf_refused' } } });
    const { secret } = await stage.account({ scopes: ['manage'] });
    for (const path of ['read', 'approve', 'deny']) {
      const answer = await stage.ask(`/console/v1/device/${path}`, {
        headers: { authorization: `Bearer ${secret}` },
        body: JSON.stringify(body),
      });
      expect(await answer.json()).toMatchObject({ error: { code: 'session_required' } });
    }
  });

  test('into an open project that the person sees', async () => {
    const [owner, dev] = [await stage.person({ name: 'Olga' }), await stage.person({ name: 'Dev' })];
    const workspaceId = placeOf(owner);
    const [shop, blog, old] = [
      await stage.makeProject(workspaceId, 'shop'),
      await stage.makeProject(workspaceId, 'blog'),
      await stage.makeProject(workspaceId, 'old'),
    ];
    await updateProject(stage.db.write(workspaceId), old, { change: { isArchived: true }, by });
    await stage.join(dev, workspaceId, 'developer', [shop]);
    const inProject = async (id: string | undefined, person = dev) => {
      const codes = await stage.begin();
      const project = id === undefined ? {} : { project_id: id };
      const { status, body } = await stage.approve(person, codes, { workspace_id: workspaceId, ...project });
      return status === 200 ? (await stage.fetchKey(codes)).body.key.project_id : body.error.code;
    };
    expect(await inProject(undefined)).toBe(shop);
    expect(await inProject(shop)).toBe(shop);
    for (const id of [blog, old, 'default', 'proj_none']) expect(await inProject(id)).toBe('project_not_found');
    expect(await inProject(undefined, owner)).toBe('default');
    expect(await inProject(blog, owner)).toBe(blog);
    expect(await inProject(old, owner)).toBe('project_not_found');
    const { body } = await dev.post<{ workspaces: { id: string; projects: object[] }[] }>('device/read', {
      user_code: (await stage.begin()).user_code,
    });
    expect(body.workspaces.find(({ id }) => id === workspaceId)!.projects).toEqual([{ id: shop, name: 'shop' }]);
  });

  test('for a test key, in test mode', async () => {
    const ada = await stage.person();
    const codes = await stage.approved(ada, { mode: 'test', scopes: ['llm', 'voice'] });
    const { body } = await stage.fetchKey(codes);
    expect(body).toMatchObject({
      api_key: expect.stringMatching(/^sk_test_/),
      workspace: { id: expect.stringMatching(/^wst_/), name: ada.me.workspace.name, mode: 'test' },
    });
    expect(await stage.use(body.api_key)).toBe(200);
  });

  test('with the operators’ scope only by an operator, in the platform’s own workspace', async () => {
    const olga = await stage.person({ name: 'Olga' });
    await stage.asOwner('update users set is_operator = true where id = $1', [userOf(olga)]);
    const operating = { scopes: ['llm', 'operator'] };
    const refused = { status: 403, body: { error: { code: 'scope_not_grantable' } } };
    expect(await stage.approve(olga, await stage.begin(), operating)).toMatchObject(refused);
    const platform = (await findPlatformWorkspaceId(stage.db.everywhere))!;
    await stage.join(olga, platform, 'owner');
    const there = { ...operating, workspace_id: platform };
    expect(await stage.approve(olga, await stage.begin(), { ...there, mode: 'test' })).toMatchObject(refused);
    const codes = await stage.approved(olga, there);
    expect((await stage.fetchKey(codes)).body.key.scopes).toEqual(['llm', 'operator']);
    const withdrawn = await stage.approved(olga, there);
    await stage.asOwner('update users set is_operator = false where id = $1', [userOf(olga)]);
    expect(await stage.fetchKey(withdrawn)).toMatchObject(denied);
  });

  test('with valid limits', async () => {
    const ada = await stage.person();
    const { user_code } = await stage.begin();
    const invalid: [object, string][] = [
      [{ name: ' ' }, 'name'],
      [{ scopes: [] }, 'scopes'],
      [{ scopes: ['llm', 'manage'] }, 'scopes'],
      [{ expires_at: '2001-01-01T00:00:00Z' }, 'expires_at'],
      [{ spend_limit: -1 }, 'spend_limit'],
      [{ spend_limit_period: 'daily' }, 'spend_limit_period'],
      [{ log_days: 3 }, 'log_days'],
    ];
    for (const [body, param] of invalid)
      expect(await stage.approve(ada, { user_code }, body)).toMatchObject({ status: 422, body: { error: { param } } });
  });
});

describe('nothing is given to a program', () => {
  test('whose person may no longer make the key', async () => {
    const endings: ((person: Person) => Promise<unknown>)[] = [
      (person) => stage.db.pool.query('delete from members where user_id = $1', [userOf(person)]),
      (person) => setRole(person, 'finance'),
      (person) => setRole(person, 'developer'),
      (person) => stage.join(person, placeOf(person), 'developer', ['proj_none']),
      (person) => person.post('erasure', { name: person.me.workspace.name }),
    ];
    for (const end of endings) {
      const person = await stage.person();
      const codes = await stage.approved(person, { scopes: ['llm', 'publisher'] });
      await end(person);
      expect(await stage.fetchKey(codes)).toMatchObject(denied);
      expect(await stage.fetchKey(codes)).toMatchObject(denied);
      const { rows } = await stage.db.pool.query(
        'select id from api_keys where workspace_id = $1 and hash is not null and member_user_id is null',
        [placeOf(person)],
      );
      expect(rows).toEqual([]);
    }
  });

  test('whose project was archived meanwhile', async () => {
    const ada = await stage.person();
    const project = await stage.makeProject(placeOf(ada), 'gone');
    const codes = await stage.approved(ada, { project_id: project });
    await updateProject(stage.db.write(placeOf(ada)), project, { change: { isArchived: true }, by });
    expect(await stage.fetchKey(codes)).toMatchObject(denied);
  });
});

test('who approved and denied what is audited, with the program and its address', async () => {
  const ada = await stage.person();
  const codes = await stage.begin({ client_name: 'ledgerline on ada-laptop' });
  await stage.approve(ada, codes, { expires_at: '2099-01-01T00:00:00Z' });
  await stage.fetchKey(codes);
  await ada.post('device/deny', { user_code: (await stage.begin({ client_name: 'a stranger' })).user_code });
  const after = { name: 'Command line on ada-laptop', scopes: ['llm'] };
  expect(await stage.audited(userOf(ada))).toMatchObject([
    {
      action: 'approve_device_login',
      workspace_id: placeOf(ada),
      subject_type: 'device_login',
      detail: { client_name: 'ledgerline on ada-laptop', address: expect.stringContaining('127.0.0.1'), after },
    },
    { action: 'create_key', workspace_id: placeOf(ada), subject_type: 'api_key', detail: { after } },
    { action: 'deny_device_login', workspace_id: null, detail: { client_name: 'a stranger' } },
  ]);
});

test('an erased workspace keeps no device login, and its person none anywhere', async () => {
  const ada = await stage.person();
  await stage.approved(ada);
  await ada.post('device/deny', { user_code: (await stage.begin()).user_code });
  await ada.post('erasure', { name: ada.me.workspace.name });
  await stage.asOwner('update erasures set due_at = now() where workspace_id = $1', [placeOf(ada)]);
  const due = (await listDueErasures(stage.db)).find(({ workspaceId }) => workspaceId === placeOf(ada));
  expect(
    await eraseWorkspace(stage.db, due!, {
      deleteHistories: async () => 0,
      endPayments: async () => {},
      onProgress: () => {},
    }),
  ).toBe(true);
  const sql = 'select id from device_logins where user_id = $1 or workspace_id = $2';
  expect((await stage.db.pool.query(sql, [userOf(ada), placeOf(ada)])).rows).toEqual([]);
});
