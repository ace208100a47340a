import { afterAll, describe, expect, test } from '@jest/globals';
import { createKey } from '../../../db/keys/keyStore.ts';
import { idsInBothModes } from '../../../db/workspaces/workspaces.ts';
import { setAccountStage } from '../accounts/accountStage.ts';

const stage = await setAccountStage();
const owner = await stage.person({ name: 'Olga Owner' });
const workspaceId = owner.me.workspace.id;
afterAll(() => stage.close());

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

interface Profile {
  name: string;
  mode: string;
  logo_file_id: string | null;
  logo_url: string | null;
  logo_is_public: boolean;
  error: { code: string; param: string };
}

const change = (body: object, person = owner) => person.send<Profile>('PATCH', '/console/v1/workspace', body);

const keyOf = async (scopes: string[]) =>
  (await createKey(stage.db.everywhere, { workspaceId, name: 'k', scopes })).secret;

async function upload(secret: string, content: Buffer<ArrayBuffer>, filename = 'logo.png'): Promise<Response> {
  const form = new FormData();
  form.append('purpose', 'workspace_logo');
  form.append('file', new Blob([content]), filename);
  return fetch(`${stage.api.url}/v1/files`, {
    method: 'POST',
    body: form,
    headers: { authorization: `Bearer ${secret}` },
  });
}

const uploaded = async (secret: string): Promise<string> =>
  ((await (await upload(secret, PNG)).json()) as { id: string }).id;

describe('a workspace', () => {
  test('is renamed by its owner and by a managing key, audited, with its test workspace', async () => {
    await owner.post('mode', { mode: 'test' });
    await owner.post('mode', { mode: 'live' });
    const renamed = await change({ name: '  Analytical Engines  ' });
    expect(renamed).toMatchObject({ status: 200, body: { name: 'Analytical Engines', mode: 'live', logo_url: null } });
    const [testId] = await idsInBothModes(stage.db.everywhere, workspaceId);
    const { rows } = await stage.db.pool.query('select name from workspaces where id = $1', [testId]);
    expect(rows).toEqual([{ name: 'Analytical Engines' }]);
    const asked = { method: 'PATCH', headers: { authorization: `Bearer ${await keyOf(['manage'])}` } };
    const byKey = await stage.ask('/platform/v1/workspace', { ...asked, body: JSON.stringify({ name: 'Engines' }) });
    expect(await byKey.json()).toMatchObject({ id: workspaceId, object: 'workspace', name: 'Engines' });
    const sql = `select detail, user_id from audit_entries where action = 'change_workspace' and subject_id = $1 order by created_at, id`;
    expect((await stage.db.pool.query(sql, [workspaceId])).rows).toMatchObject([
      { detail: { after: { name: 'Analytical Engines' } }, user_id: owner.me.user.id },
      { detail: { before: { name: 'Analytical Engines' }, after: { name: 'Engines' } } },
    ]);
    expect((await owner.get('me')).body.workspace).toMatchObject({ name: 'Engines' });
  });

  test('is not renamed without the scope, by a test key, or to nothing', async () => {
    const body = JSON.stringify({ name: 'Other' });
    const withKey = async (secret: string) =>
      stage.ask('/platform/v1/workspace', { method: 'PATCH', body, headers: { authorization: `Bearer ${secret}` } });
    expect((await withKey(await keyOf(['llm', 'publisher']))).status).toBe(403);
    for (const name of ['', '   ', 'a\nb', 'x'.repeat(101), 7])
      expect(await change({ name })).toMatchObject({ status: 422 });
    expect(await change({ nickname: 'x' })).toMatchObject({ status: 422 });
    await owner.post('mode', { mode: 'test' });
    expect(await change({ name: 'Other' })).toMatchObject({ status: 409, body: { error: { code: 'live_mode_only' } } });
    expect((await owner.get('workspace')).body).toMatchObject({ name: 'Engines', mode: 'test' });
    await owner.post('mode', { mode: 'live' });
  });
});

describe('a logo', () => {
  test('is an image that everybody with its address can load, and nothing else', async () => {
    const secret = await keyOf(['manage']);
    const fileId = await uploaded(secret);
    const path = `/v1/logos/${fileId}`;
    expect((await stage.ask(path)).status).toBe(404);
    const { body } = await change({ logo_file_id: fileId, logo_is_public: true });
    expect(body).toMatchObject({ logo_file_id: fileId, logo_is_public: true });
    expect(new URL(body.logo_url!).pathname).toBe(path);
    const image = await stage.ask(path);
    expect(Buffer.from(await image.arrayBuffer())).toEqual(PNG);
    expect(Object.fromEntries(image.headers)).toMatchObject({
      'content-type': 'image/png',
      'content-security-policy': "sandbox; default-src 'none'",
      'x-content-type-options': 'nosniff',
      'cache-control': 'public, max-age=300',
    });
    const again = await stage.ask(path, { headers: { 'if-none-match': image.headers.get('etag')! } });
    expect(again.status).toBe(304);
    const { body: me } = await owner.get<{ workspace: { logo_url: string } }>('me');
    expect(me.workspace.logo_url).toBe(body.logo_url);
  });

  test('replaces the one before, whose file is deleted, and can be removed', async () => {
    const secret = await keyOf(['manage']);
    const before = (await owner.get<Profile>('workspace')).body.logo_file_id!;
    const fileId = await uploaded(secret);
    await change({ logo_file_id: fileId });
    expect((await stage.ask(`/v1/logos/${before}`)).status).toBe(404);
    const old = await stage.ask(`/v1/files/${before}`, { headers: { authorization: `Bearer ${secret}` } });
    expect(old.status).toBe(404);
    expect((await change({ logo_file_id: null })).body).toMatchObject({ logo_file_id: null, logo_url: null });
    expect((await stage.ask(`/v1/logos/${fileId}`)).status).toBe(404);
  });

  test('is no SVG, no file of another purpose, and no file of another workspace', async () => {
    const secret = await keyOf(['manage', 'llm']);
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>');
    expect((await upload(secret, svg, 'logo.svg')).status).toBe(415);
    expect((await upload(await keyOf(['llm']), PNG)).status).toBe(403);
    const stranger = await stage.person({ name: 'Sam Stranger' });
    const foreign = await createKey(stage.db.everywhere, {
      workspaceId: stranger.me.workspace.id,
      name: 'k',
      scopes: ['manage'],
    });
    for (const logo_file_id of [await uploaded(foreign.secret), 'file_unknown'])
      expect(await change({ logo_file_id })).toMatchObject({ status: 422 });
  });
});

describe('a second workspace', () => {
  test('is made by a person, who owns it, and each tab keeps its own', async () => {
    const { body: made } = await owner.post('auth/organization/create', { name: 'Second' });
    expect((await owner.get('me')).body).toMatchObject({ selected: made.id, role: 'owner' });
    const inFirst = { 'x-ledgerline-workspace': workspaceId };
    const first = await owner.send('GET', '/console/v1/me', undefined, inFirst);
    expect(first.body).toMatchObject({ selected: workspaceId, workspace: { name: 'Engines' } });
    expect((await owner.get('me')).body.selected).toBe(made.id);
    const byLink = await owner.get<Profile>(`workspace?in_workspace=${workspaceId}`);
    expect(byLink.body.name).toBe('Engines');
    await owner.send('PATCH', '/console/v1/workspace', { name: 'First' }, inFirst);
    expect((await owner.get('workspace')).body.name).toBe('Second');
  });

  test('of another person is refused, for every route', async () => {
    const stranger = await stage.person({ name: 'Sam Stranger' });
    for (const path of ['me', 'workspace', 'keys', 'auth/organization/list']) {
      for (const wanted of [workspaceId, 'ws_none', "ws_1' or '1"]) {
        const headers = { 'x-ledgerline-workspace': wanted };
        expect(await stranger.send('GET', `/console/v1/${path}`, undefined, headers)).toMatchObject({
          status: 403,
          body: { error: { code: 'workspace_not_allowed' } },
        });
      }
    }
    expect((await stranger.get(`workspace?in_workspace=${workspaceId}`)).status).toBe(403);
  });

  test('has bounds: one person owns ten, also by requests at once', async () => {
    const person = await stage.person({ name: 'Max Many' });
    const made = await Promise.all(
      Array.from({ length: 12 }, (_, at) => person.post('auth/organization/create', { name: `W${at}` })),
    );
    expect(made.filter(({ status }) => status === 200)).toHaveLength(9);
    expect(made.find(({ status }) => status !== 200)).toMatchObject({
      status: 409,
      body: { error: { code: 'too_many_workspaces' } },
    });
    const { body } = await person.get('me');
    expect(body.workspaces).toHaveLength(10);
    for (const { id } of body.workspaces) {
      const headers = { 'x-ledgerline-workspace': id };
      const balance = await person.send<{ balance_usd: number }>('GET', '/console/v1/balance', undefined, headers);
      expect(balance.body).toMatchObject({ balance_usd: 0 });
    }
  });
});
