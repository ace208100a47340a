import { afterAll, describe, expect, test } from '@jest/globals';
import { pruneDeviceLogins, userCodeIn } from '../../../db/keys/deviceLogins.ts';
import { setDeviceStage } from './deviceStage.ts';

const stage = await setDeviceStage();
const ada = await stage.person();
afterAll(() => stage.close());

const refusal = (code: string) => ({ status: 400, body: { error: { code, param: 'device_code' } } });

describe('a device login', () => {
  test('gives the program an ordinary key once a person has approved it', async () => {
    const codes = await stage.begin({ client_name: 'ledgerline on ada-laptop', scopes: ['llm', 'voice'] });
    expect(codes).toEqual({
      device_code: expect.stringMatching(/^\w{43}$/),
      user_code: expect.stringMatching(/^[B-DF-HJ-NP-TV-XZ]{4}-[B-DF-HJ-NP-TV-XZ]{4}$/),
      verification_uri: `${new URL(codes.verification_uri).origin}/device`,
      verification_uri_complete: `${codes.verification_uri}?code=${codes.user_code}`,
      expires_in: 600,
      interval: 2,
    });
    expect(await stage.fetchKey(codes)).toMatchObject(refusal('authorization_pending'));
    const seen = await ada.post('device/read', { user_code: codes.user_code.toLowerCase().replace('-', ' ') });
    expect(seen).toMatchObject({
      status: 200,
      body: {
        status: 'asked',
        user_code: codes.user_code,
        client_name: 'ledgerline on ada-laptop',
        scopes: ['llm', 'voice'],
        is_same_network: true,
        workspaces: [{ id: ada.me.workspace.id, role: 'owner', projects: [{ id: 'default' }] }],
      },
    });
    const expiresAt = '2099-01-01T00:00:00.000Z';
    const limits = { expires_at: expiresAt, spend_limit: 5, spend_limit_period: 'monthly' };
    expect(await stage.approve(ada, codes, limits)).toMatchObject({ status: 200, body: { status: 'approved' } });
    const { status, body } = await stage.fetchKey(codes);
    expect({ status, body }).toMatchObject({
      status: 200,
      body: {
        api_key: expect.stringMatching(/^sk_live_/),
        key: { name: 'Command line on ada-laptop', scopes: ['llm'], expires_at: expiresAt, project_id: 'default' },
        workspace: { id: ada.me.workspace.id, name: ada.me.workspace.name, mode: 'live' },
        user: { id: ada.me.user.id, name: 'Ada Lovelace', email: ada.email },
      },
    });
    expect(await stage.use(body.api_key)).toBe(200);
    const { data } = (await ada.get<{ data: object[] }>('keys')).body;
    expect(data[0]).toMatchObject({
      id: body.key.id,
      spend_limit: 5,
      spend_limit_period: 'monthly',
      created_by: 'Ada Lovelace',
      origin: 'device_login',
      owner_user_id: ada.me.user.id,
    });
  });

  test('gives its key once, also to programs that ask at the same time', async () => {
    const codes = await stage.approved(ada);
    const answers = await Promise.all(Array.from({ length: 8 }, () => stage.fetchKey(codes)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    for (const answer of answers.filter(({ status }) => status !== 200))
      expect(answer).toMatchObject(refusal('expired_token'));
    expect(await stage.fetchKey(codes)).toMatchObject(refusal('expired_token'));
    const { rows } = await stage.db.pool.query(
      `select count(*)::int as keys from api_keys where id in (select key_id from device_logins where user_id = $1)`,
      [ada.me.user.id],
    );
    expect(rows).toEqual([{ keys: 2 }]);
  });

  test('stores no code, and no secret', async () => {
    const codes = await stage.approved(ada);
    const { rows } = await stage.db.pool.query('select d::text as row from device_logins d');
    const stored = rows.map(({ row }) => row as string).join('\n');
    for (const code of [codes.device_code, codes.user_code]) expect(stored).not.toContain(code);
    expect(stored).not.toMatch(/sk_(live|test)_/);
  });

  test('tells a program that asks too often to slow down', async () => {
    const codes = await stage.begin();
    await stage.fetchKey(codes);
    await stage.db.pool.query(`update device_logins set polled_at = now() + interval '1 minute' where state = 'asked'`);
    expect(await stage.fetchKey(codes)).toMatchObject(refusal('slow_down'));
    await stage.db.pool.query(
      `update device_logins set polled_at = now() - interval '2 seconds' where state = 'asked'`,
    );
    expect(await stage.fetchKey(codes)).toMatchObject(refusal('authorization_pending'));
  });

  test('ends after ten minutes, for the program and the person; approved in its last minute, a minute later', async () => {
    const [late, over] = [await stage.begin(), await stage.begin()];
    await stage.db.pool.query(
      `update device_logins set expires_at = now() + interval '1 second' where state = 'asked'`,
    );
    await stage.approve(ada, late);
    const { rows } = await stage.db.pool.query(
      `select expires_at > now() + interval '30 seconds' as is_longer from device_logins where state = 'approved' order by id desc limit 1`,
    );
    expect(rows).toEqual([{ is_longer: true }]);
    await stage.db.pool.query(`update device_logins set expires_at = now() - interval '1 second'`);
    expect(await stage.fetchKey(late)).toMatchObject(refusal('expired_token'));
    expect(await stage.fetchKey(over)).toMatchObject(refusal('expired_token'));
    expect(await stage.approve(ada, over)).toMatchObject({
      status: 404,
      body: { error: { code: 'device_login_not_found' } },
    });
    await stage.db.pool.query(`update device_logins set expires_at = now() - interval '2 hours'`);
    expect(await pruneDeviceLogins(stage.db.everywhere)).toBeGreaterThan(0);
    expect(await stage.fetchKey(over)).toMatchObject(refusal('expired_token'));
  });

  test('ends when the person says no, and is decided once', async () => {
    const codes = await stage.begin({ client_name: 'a stranger' });
    const { user_code } = codes;
    expect(await ada.post('device/deny', { user_code })).toMatchObject({ status: 200, body: { status: 'denied' } });
    expect(await stage.fetchKey(codes)).toMatchObject(refusal('access_denied'));
    const decided = { status: 409, body: { error: { code: 'device_login_decided' } } };
    expect(await stage.approve(ada, codes)).toMatchObject(decided);
    const approved = await stage.approved(ada);
    expect(await ada.post('device/deny', { user_code: approved.user_code })).toMatchObject(decided);
    expect((await stage.fetchKey(approved)).status).toBe(200);
  });

  test('of an unknown code is none', async () => {
    expect(await stage.send('token', { device_code: 'unknown' })).toMatchObject(refusal('expired_token'));
    for (const user_code of ['BBBB-BBBB', 'AEIO-U123', 'x'])
      expect(await ada.post('device/read', { user_code })).toMatchObject({
        status: 404,
        body: { error: { code: 'device_login_not_found' } },
      });
  });

  test('is begun with a visible name and known scopes only', async () => {
    const invalid: [object, string][] = [
      [{ client_name: 'ada\u202Elaptop' }, 'client_name'],
      [{ client_name: 'ada\nlaptop' }, 'client_name'],
      [{ client_name: '\u3164' }, 'client_name'],
      [{ client_name: '\u2800' }, 'client_name'],
      [{ client_name: 'ada\u034Flaptop' }, 'client_name'],
      [{ client_name: `a${'\u0301'.repeat(40)}` }, 'client_name'],
      [{ client_name: 'a'.repeat(81) }, 'client_name'],
      [{ scopes: ['billing'] }, 'scopes.0'],
      [{ scopes: ['llm', 'llm'] }, 'scopes'],
      [{ workspace_id: 'ws_1' }, 'workspace_id'],
    ];
    for (const [body, param] of invalid)
      expect(await stage.send('codes', body)).toMatchObject({ status: 422, body: { error: { param } } });
  });

  test('reads a code as people type it', () => {
    expect(['bcdf ghjk', 'BCDFGHJK', ' bcdf–ghjk '].map(userCodeIn)).toEqual(Array(3).fill('BCDF-GHJK'));
    expect(['BCDF-GHJ', 'BCDF-GHJKL', 'ABCD-GHJK'].map(userCodeIn)).toEqual(Array(3).fill(undefined));
  });
});
