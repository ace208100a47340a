import { afterAll, describe, expect, test } from '@jest/globals';
import { beginRun } from '../../support/run.ts';
import { finishRun } from '../../../db/runs/states/finishRun.ts';
import type { RunObject } from '../../../db/runs/runObject.ts';
import { analyst, errorOf, read, setRunRouteStage, writer } from '../../support/runRouteStage.ts';

const stage = await setRunRouteStage({ env: { OPEN_RUNS_MAX: '5' } });
afterAll(() => stage.close());
/** A separate workspace, so that its open runs are counted separately. */
const account = (options = {}) => stage.account(options);

const nullsOf = (...names: string[]) => Object.fromEntries(names.map((name) => [name, null]));

describe('POST /v1/runs', () => {
  test('answers 202 with the whole run, its address and when to poll, although Temporal is down', async () => {
    const { secret } = await account();
    const response = await stage.post({ metadata: { ticket: '7' }, source: 'chat' }, { key: secret });
    const run = await read<RunObject>(response, 202);
    expect(response.headers.get('location')).toBe(`/v1/runs/${run.id}`);
    expect(response.headers.get('retry-after')).toMatch(/^[1-5]$/);
    expect(response.headers.get('x-request-id')).toMatch(/^req_/);
    expect(run).toEqual({
      id: expect.stringMatching(/^run_[0-9A-Za-z]+$/),
      object: 'run',
      agent: writer,
      agent_id: expect.stringMatching(/^agent_[0-9A-Za-z]+$/),
      version_id: expect.stringMatching(/^aver_[0-9A-Za-z]+$/),
      version: expect.stringMatching(/^\d{4}-\d{2}-\d{2}$/),
      session_id: expect.stringMatching(/^ses_[0-9A-Za-z]+$/),
      status: 'queued',
      status_reason: null,
      input: 'Write a haiku.',
      response_format: null,
      output: [],
      required_action: null,
      required_actions: [],
      error: null,
      fault: null,
      limit: null,
      max_cost_usd: 0.5,
      held_usd: 0.5,
      usage: {
        meters: [],
        subtotal_usd: 0,
        platform_cost_usd: 0,
        network_fee_usd: 0,
        total_usd: 0,
        children_usd: 0,
        settled: false,
      },
      rerun_of: null,
      parent_run_id: null,
      priority: 0,
      concurrency: null,
      debounce: null,
      queue: null,
      source: 'chat',
      metadata: { ticket: '7' },
      ...nullsOf('user', 'started_at', 'completed_at', 'cancel_requested_at', 'duration_seconds'),
      created_at: expect.stringMatching(/Z$/),
      last_event_id: expect.stringMatching(/^evt_[0-9A-Za-z]+$/),
      links: { self: `/v1/runs/${run.id}`, events: `/v1/runs/${run.id}/events`, cancel: `/v1/runs/${run.id}/cancel` },
    });
  });

  test('records the events created and queued, and holds the maximum cost', async () => {
    const { secret, workspaceId } = await account();
    const run = await stage.create({ max_cost_usd: 0.2 }, { key: secret });
    const events = await stage.call(`/v1/runs/${run.id}/events`, {
      key: secret,
      headers: { accept: 'application/json' },
    });
    const { data } = await read<{ data: { id: string; type: string }[] }>(events, 200);
    expect(data.map(({ type }) => type)).toEqual(['run.created', 'run.queued']);
    expect(data.at(-1)!.id).toBe(run.last_event_id);
    const balance = await stage.call('/platform/v1/billing/balance', { key: secret });
    expect(await balance.json()).toEqual({ balance_usd: 10, held_usd: 0.2, available_usd: 9.8 });
    const { rows } = await stage.db.pool.query('select rate_card from runs where workspace_id = $1', [workspaceId]);
    expect(rows[0].rate_card).toMatchObject({
      currency: 'USD',
      network_fee_percentage: 10,
      minimum_cost_usd: 0,
      maximum_cost_usd: 0.5,
      meters: expect.arrayContaining([
        { id: 'tool_calls', unit: 'call', price_usd: 0.0001, platform_cost_usd: 0, description: expect.any(String) },
      ]),
    });
  });

  test('accepts omitted members and uses their defaults', async () => {
    const { secret } = await account();
    const defaults = { visibility: 'public', on_limit: 'stop', stream: false, on_disconnect: 'continue', metadata: {} };
    expect(await stage.create(defaults, { key: secret })).toMatchObject({ status: 'queued' });
  });

  test('treats a null member as not sent', async () => {
    const { secret } = await account();
    const nulls = { version: null, session_id: null, max_cost_usd: null, webhook_url: null, on_disconnect: null };
    expect(await stage.create(nulls, { key: secret })).toMatchObject({ status: 'queued', max_cost_usd: 0.5 });
  });

  test('runs a version by its date or its id, and answers 404 for others', async () => {
    const { secret } = await account();
    const { version, version_id } = await stage.create({}, { key: secret });
    for (const wanted of [version, version_id])
      expect(await stage.create({ version: wanted }, { key: secret })).toMatchObject({ version_id });
    expect(await errorOf(await stage.post({ version: '1999-01-01' }, { key: secret }))).toMatchObject({
      status: 404,
      code: 'agent_not_found',
      param: 'agent',
    });
  });

  test("answers 404 for another workspace's private agent", async () => {
    const agent = await stage.publish({}, { workspaceId: stage.mine.workspaceId, visibility: 'private' });
    expect(await stage.create({ agent, visibility: 'private' })).toMatchObject({ agent });
    for (const [members, key] of [
      [{ agent }, stage.mine.secret],
      [{ agent, visibility: 'private' }, stage.other.secret],
    ] as const)
      expect(await errorOf(await stage.post(members, { key }))).toMatchObject({ status: 404, code: 'agent_not_found' });
  });

  test('refuses a suspended agent with 409 agent_suspended', async () => {
    const agent = await stage.publish({});
    await stage.asOwner(
      `update deployments set status = 'suspended', suspended_at = now() where agent_id = (select id from agents where slug = $1)`,
      [agent.split('/')[1]],
    );
    const response = await stage.post({ agent });
    expect(response.headers.get('x-should-retry')).toBe('false');
    expect(await errorOf(response)).toMatchObject({ status: 409, code: 'agent_suspended' });
  });

  test.each([
    [{ agent: 'writer' }, 'agent'],
    [{ agent: undefined }, 'agent'],
    [{ input: undefined }, 'input'],
    [{ input: '' }, 'input'],
    [{ input: 7 }, 'input'],
    [{ input: [] }, 'input'],
    [{ input: [{ type: 'input_text', text: '' }] }, 'input.0.text'],
    [{ input: [{ type: 'input_text', text: 'a', role: 'user' }] }, 'input.0.role'],
    [{ input: [{ type: 'input_image', url: 'x' }] }, 'input.0.type'],
    [{ input: [{ type: 'input_file', file_id: '../etc' }] }, 'input.0.file_id'],
    [{ version: 'latest' }, 'version'],
    [{ session_id: 'ses_%' }, 'session_id'],
    [{ max_cost_usd: 0 }, 'max_cost_usd'],
    [{ max_cost_usd: 0.6 }, 'max_cost_usd'],
    [{ max_cost_usd: 0.0000000001 }, 'max_cost_usd'],
    [{ timeout_seconds: 86_401 }, 'timeout_seconds'],
    [{ start_after_seconds: 604_801 }, 'start_after_seconds'],
    [{ on_limit: 'go' }, 'on_limit'],
    [{ metadata: { a: 1 } }, 'metadata.a'],
    [{ metadata: { ['__proto__']: 'a' } }, 'metadata.__proto__'],
    [{ input: [{ type: 'input_data', data: { ['__proto__']: 'a' } }] }, 'input.0.data.__proto__'],
    [{ metadata: Object.fromEntries(Array.from({ length: 17 }, (_, at) => [`k${at}`, ''])) }, 'metadata'],
    [{ webhook_url: 'https://example.com/hook' }, 'webhook_url'],
    [{ webhook_url: 'http://example.com/hook' }, 'webhook_url'],
    [{ webhook_events: ['run.completed'] }, 'webhook_events'],
    [{ webhook_events: ['run.created'] }, 'webhook_events.0'],
    [{ on_disconnect: 'cancel' }, 'on_disconnect'],
    [{ tools: [] }, 'tools'],
    [{ input: 'a\0b' }, 'input'],
    [{ input: [{ type: 'input_text', text: 'half a pair: \ud800' }] }, 'input.0.text'],
    [{ metadata: { a: '\0' } }, 'metadata.a'],
    [{ metadata: { 'a\0': '' } }, 'metadata'],
  ])('refuses %j at %s', async (members, place) => {
    const response = await stage.post(members);
    const body = (await response.clone().json()) as { detail: { loc: string[]; msg: string; type: string }[] };
    expect(await errorOf(response)).toEqual({ status: 422, code: 'validation_error', param: place });
    expect(body.detail[0]).toEqual({
      loc: ['body', ...place.split('.')],
      msg: expect.any(String),
      type: expect.any(String),
    });
  });

  test('refuses files of a type that the agent does not accept, and files of other workspaces', async () => {
    const form = new FormData();
    form.append('file', new Blob([Buffer.from('RIFF\0\0\0\0WAVEfmt ')]), 'beep.wav');
    form.append('purpose', 'agent_input');
    const uploaded = await fetch(`${stage.api.url}/v1/files`, {
      method: 'POST',
      headers: { authorization: `Bearer ${stage.mine.secret}` },
      body: form,
    });
    expect(uploaded.status).toBe(200);
    const { id: file_id } = (await uploaded.json()) as { id: string };
    const input = [
      { type: 'input_text', text: 'Listen.' },
      { type: 'input_file', file_id },
    ];
    const text = await stage.publish({ tools: [] });
    expect(await errorOf(await stage.post({ agent: text, input }))).toEqual({
      status: 422,
      code: 'unsupported_input',
      param: 'input.1',
    });
    expect(await errorOf(await stage.post({ agent: analyst, input }))).toEqual({
      status: 422,
      code: 'unsupported_input',
      param: 'input.1.file_id',
    });
    expect(await errorOf(await stage.post({ agent: analyst, input }, { key: stage.other.secret }))).toEqual({
      status: 404,
      code: 'file_not_found',
      param: 'input.1.file_id',
    });
  });

  test('checks key, scope, body and rate, and then the money', async () => {
    const bare = await account({ scopes: ['voice'], balanceNanos: 0n });
    const poor = await account({ balanceNanos: 0n });
    const capped = await account({ spendLimitNanos: 0n, spendLimitPeriod: 'daily' });
    const slow = await account({ rpmLimit: 1, balanceNanos: 0n });
    expect(await errorOf(await stage.post({}, { key: 'sk_live_unknown' }))).toMatchObject({ code: 'invalid_api_key' });
    expect(await errorOf(await stage.post({ agent: 7 }, { key: bare.secret }))).toMatchObject({
      code: 'scope_not_allowed',
    });
    expect(await errorOf(await stage.post({ agent: 7 }, { key: slow.secret }))).toMatchObject({
      code: 'validation_error',
    });
    expect(await errorOf(await stage.post({}, { key: slow.secret }))).toMatchObject({ code: 'insufficient_balance' });
    expect(await errorOf(await stage.post({}, { key: slow.secret }))).toMatchObject({ code: 'rate_limit_exceeded' });
    const broke = await stage.post({}, { key: poor.secret });
    expect(broke.headers.get('x-limit-source')).toBe('balance');
    expect(await errorOf(broke)).toMatchObject({ status: 402, code: 'insufficient_balance' });
    const ceiling = await stage.post({}, { key: capped.secret });
    expect(ceiling.headers.get('x-limit-source')).toBe('key');
    expect(await errorOf(ceiling)).toMatchObject({ status: 402, code: 'key_spend_limit_reached' });
  });

  test('holds the remaining balance when it is below the maximum cost', async () => {
    const { secret } = await account({ creditUsd: '0.3' });
    expect(await stage.create({}, { key: secret })).toMatchObject({ max_cost_usd: 0.5, held_usd: 0.3 });
  });

  test('keeps exactly the permitted number of runs of a workspace open under concurrent requests', async () => {
    const { secret } = await account();
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => stage.post({ max_cost_usd: 0.1 }, { key: secret })),
    );
    const statuses = answers.map(({ status }) => status).toSorted((one, two) => one - two);
    expect(statuses).toEqual([...Array.from({ length: 5 }, () => 202), ...Array.from({ length: 15 }, () => 429)]);
    const refused = answers.find(({ status }) => status === 429)!;
    expect(refused.headers.get('retry-after')).toBe('5');
    expect(await errorOf(refused)).toMatchObject({ code: 'too_many_runs' });
  });

  test('does not count a running run as a concurrent request', async () => {
    const { secret } = await account({ concurrencyLimit: 1 });
    for (let count = 0; count < 3; count += 1) await stage.create({ max_cost_usd: 0.1 }, { key: secret });
  });
});

describe('a busy session', () => {
  test('refuses another run, unless the request queues it or interrupts the current one', async () => {
    const { secret } = await account();
    const first = await stage.create({}, { key: secret });
    await beginRun(stage.db.pool, first.id);
    const session_id = first.session_id;
    expect(await errorOf(await stage.post({ session_id }, { key: secret }))).toMatchObject({
      status: 409,
      code: 'session_busy',
    });
    const second = await stage.create({ session_id, if_session_busy: 'enqueue' }, { key: secret });
    const third = await stage.create({ session_id, if_session_busy: 'interrupt' }, { key: secret });
    const states = await Promise.all(
      [first, second, third].map(async ({ id }) => {
        const { rows } = await stage.db.pool.query('select status, waiting from runs where id = $1', [id]);
        return rows[0] as object;
      }),
    );
    expect(states).toEqual([
      { status: 'cancelling', waiting: false },
      { status: 'cancelled', waiting: false },
      { status: 'queued', waiting: true },
    ]);
    const { next } = await finishRun(stage.db, first.id, { status: 'cancelled' });
    expect(next).toMatchObject({ id: third.id, waiting: false });
  });

  test('of another workspace answers 404', async () => {
    const { session_id } = await stage.create({}, { key: stage.other.secret });
    const unknown = { status: 404, code: 'session_not_found', param: 'session_id' };
    expect(await errorOf(await stage.post({ session_id }))).toMatchObject(unknown);
  });

  test('accepts one of many concurrent runs', async () => {
    const { secret } = await account();
    const session = await stage.call('/v1/sessions', { key: secret, body: {} });
    const { id: session_id } = await read<{ id: string }>(session, 201);
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => stage.post({ session_id, max_cost_usd: 0.1 }, { key: secret })),
    );
    expect(answers.filter(({ status }) => status === 202)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(9);
  });
});
