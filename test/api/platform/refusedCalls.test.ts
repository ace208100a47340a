import { afterAll, describe, expect, test } from '@jest/globals';
import { checkInvariants } from '../../../db/invariants/invariants.ts';
import { revokeKey } from '../../../db/keys/keyStore.ts';
import { createBrowser, setAccountStage } from '../accounts/accountStage.ts';
import { getJson } from '../../support/http.ts';
import { chatBody, chatPath, told } from '../../support/guardStage.ts';
import { textModel } from '../../support/startApi.ts';

const stage = await setAccountStage();
afterAll(() => stage.close());

interface Listed {
  id: string;
  status: number;
  model: string | null;
  error: { code: string; message: string } | null;
  calls: number;
  cost_usd: number;
  settled_at: string;
  [member: string]: unknown;
}

const get = <T>(path: string, key: string) => getJson<T>(`${stage.url}/platform/v1/${path}`, key);
const listed = async (key: string, query = '') =>
  (await get<{ data: Listed[]; next_cursor: string | null }>(`requests${query}`, key)).body;

/** Sends a call and returns its id and answer. */
async function send(key: string, body: string, { path = chatPath, ...headers }: Record<string, string> = {}) {
  const response = await stage.ask(path, { headers: { authorization: `Bearer ${key}`, ...headers }, body });
  const text = await response.text();
  const { error } = JSON.parse(text.startsWith('{') ? text : '{}') as { error?: Listed['error'] };
  return { id: response.headers.get('x-request-id')!, status: response.status, error: error ?? null };
}

describe('a refused call', () => {
  test('is in the list and found by its id, with what it was answered, and is nowhere else', async () => {
    const { secret, keyId } = await stage.account();
    const unknown = await send(secret, chatBody({ model: 'no-such-model' }));
    const bad = await send(secret, chatBody({ temperature: 'hot' }));
    const bare = await send(secret, '{');
    const { data } = await listed(secret);
    expect(data.map(({ id, status, error }) => ({ id, status, error }))).toMatchObject(
      [bare, bad, unknown].map(({ id, status, error }) => ({
        id,
        status,
        error: { code: error!.code, message: error!.message },
      })),
    );
    expect(data.map(({ model }) => model)).toEqual([null, textModel, 'no-such-model']);
    const { status, body } = await get<Listed>(`requests/${unknown.id}`, secret);
    expect(status).toBe(200);
    expect(body).toEqual(data[2]);
    expect(body).toMatchObject({
      route: chatPath,
      status: 404,
      key_id: keyId,
      cost_usd: 0,
      usage: [],
      ledger_entry_ids: [],
      calls: 1,
      cancelled: false,
      response_id: null,
    });
    const explained = await get<{ text: string; total_usd: number }>(`explain/${unknown.id}`, secret);
    expect(explained.body).toMatchObject({ total_usd: 0 });
    expect(explained.body.text).toContain(`404 ${unknown.error!.code}: ${unknown.error!.message}`);
    const other = await stage.account();
    expect((await get(`requests/${unknown.id}`, other.secret)).status).toBe(404);
    expect((await listed(other.secret)).data).toEqual([]);
    expect((await checkInvariants(stage.db.pool)).violations).toEqual([]);
  });

  test('is kept whatever refused it: scope, balance, rate, address, an unknown URL', async () => {
    const narrow = await stage.account({ scopes: ['voice'] });
    const poor = await stage.account({ creditUsd: '0' });
    const slow = await stage.account({ rpmLimit: 1 });
    const far = await stage.account({ allowedIps: ['198.51.100.1/32'] });
    await send(slow.secret, chatBody());
    const sent = {
      scope_not_allowed: await send(narrow.secret, chatBody()),
      insufficient_balance: await send(poor.secret, chatBody()),
      rate_limit_exceeded: await send(slow.secret, chatBody()),
      unknown_url: await send(poor.secret, chatBody(), { path: '/v1/chat/completion' }),
      ip_not_allowed: await send(far.secret, chatBody()),
    };
    // Every read in this process first waits for the recorded refusals.
    await listed((await stage.account()).secret);
    for (const [code, { id, status, error }] of Object.entries(sent)) {
      const { rows } = await stage.db.pool.query('select status, code, message from refused_calls where id = $1', [id]);
      expect(rows).toEqual([{ status, code, message: error!.message }]);
    }
  });

  test('without a valid key leaves nothing', async () => {
    const { secret, keyId } = await stage.account();
    await revokeKey(stage.db, keyId);
    const gone = await send(secret, chatBody());
    const none = await send('sk_live_unknown', chatBody());
    expect([gone.status, none.status]).toEqual([401, 401]);
    const { rows } = await stage.db.pool.query('select id from refused_calls where id = any ($1)', [
      [gone.id, none.id],
    ]);
    expect(rows).toEqual([]);
  });

  test('keeps no key that was written into its path or message', async () => {
    const { secret } = await stage.account();
    await send(secret, chatBody({ model: secret }));
    await send(secret, chatBody(), { path: `/v1/${secret}` });
    await listed(secret);
    const { rows } = await stage.db.pool.query(`select c::text as row from refused_calls c where c::text like $1`, [
      `%${secret.slice(8)}%`,
    ]);
    expect(rows).toEqual([]);
  });

  test('that an upstream refused is listed once, as the call that it was, with the reason', async () => {
    const { secret } = await stage.account();
    const refused = await send(secret, chatBody({ messages: told({ status: 400 }) }));
    expect(refused.status).toBe(400);
    const { data } = await listed(secret);
    expect(data).toMatchObject([
      {
        id: refused.id,
        status: 400,
        attempts: 1,
        error: { code: refused.error!.code, message: refused.error!.message },
      },
    ]);
  });

  test('reads of the platform’s own data are no calls', async () => {
    const { secret } = await stage.account();
    expect((await get('requests/req_unknown', secret)).status).toBe(404);
    expect((await get('usage?group_by=nothing', secret)).status).toBe(422);
    expect((await listed(secret)).data).toEqual([]);
  });

  test('of a member is kept when it was a call of a model, and not when a form was incomplete', async () => {
    const ada = await stage.person();
    const refused = await ada.send('POST', '/console/v1/chat/completions', JSON.parse(chatBody()));
    expect(refused.status).toBe(402);
    expect((await ada.post('keys', { nothing: 1 })).status).toBe(422);
    expect((await createBrowser(stage.url).post('keys', {})).status).toBe(401);
    const { body } = await ada.get('requests');
    expect(body.data).toMatchObject([{ status: 402, error: { code: 'insufficient_balance' } }]);
  });
});

describe('the list of calls', () => {
  test('has refused calls and others in the order of their time, page by page, and filters both', async () => {
    const { secret } = await stage.account();
    const ids: string[] = [];
    for (let nth = 0; nth < 6; nth += 1) {
      const model = nth % 2 === 0 ? textModel : 'no-such-model';
      ids.push((await send(secret, chatBody({ model }))).id);
      await listed(secret);
    }
    const pages: string[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const page: Awaited<ReturnType<typeof listed>> = await listed(secret, `?limit=1${cursor && `&cursor=${cursor}`}`);
      pages.push(...page.data.map(({ id }) => id));
      cursor = page.next_cursor;
    }
    expect(pages).toEqual(ids.toReversed());
    const statuses = async (query: string) => (await listed(secret, query)).data.map(({ status }) => status);
    expect(await statuses('?status=4xx')).toEqual([404, 404, 404]);
    expect(await statuses('?status=404&model=no-such-model')).toEqual([404, 404, 404]);
    expect(await statuses('?status=200')).toEqual([200, 200, 200]);
    expect(await statuses('?status=5xx')).toEqual([]);
    expect(await statuses('?status=cancelled')).toEqual([]);
    expect(await statuses(`?model=${textModel}`)).toEqual([200, 200, 200]);
    expect(await statuses('?route=/v1/embeddings')).toEqual([]);
    expect(await statuses('?to=2020-01-01')).toEqual([]);
  });

  test('counts what it does not keep, and the sum is what was refused', async () => {
    const { secret } = await stage.account();
    for (let nth = 0; nth < 40; nth += 1) await send(secret, chatBody({ model: 'no-such-model' }));
    const { data } = await listed(secret, '?limit=100');
    expect(data.reduce((sum, { calls }) => sum + calls, 0)).toBe(40);
    const usage = await get<{ errors_by_code: object[]; total: object }>('usage', secret);
    expect(usage.body.errors_by_code).toMatchObject([{ status: 404, code: 'model_not_found', calls: 40 }]);
    expect(usage.body.total).toMatchObject({ requests: 0, errors: 0, cost_usd: 0 });
    const none = await get<{ errors_by_code: object[] }>('usage?from=2020-01-01&to=2020-01-31', secret);
    expect(none.body.errors_by_code).toEqual([]);
    const home = await get<{ refused_last_hour: object[] }>('overview', secret);
    expect(home.body.refused_last_hour).toMatchObject([
      { status: 404, code: 'model_not_found', calls: 40, last_request_id: expect.stringMatching(/^req_/) },
    ]);
  });
});
