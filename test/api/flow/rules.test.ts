import { afterAll, describe, expect, test } from '@jest/globals';
import { errorOf, read, writer } from '../../support/runRouteStage.ts';
import { setFlowStage } from './flowStage.ts';

const stage = await setFlowStage();
afterAll(() => stage.close());

interface Rule {
  id: string;
}

const MANAGER = { scopes: ['agents', 'manage'] };
const cheap = (metadata: object = {}) => ({ metadata, max_cost_usd: 0.01 });
const made = async (secret: string, members: object): Promise<Rule> =>
  read<Rule>(await stage.rule(secret, { agent: writer, ...members }), 201);

describe('flow rules of a workspace', () => {
  test('are created, listed, read, changed and deleted, each in the audit', async () => {
    const { secret, workspaceId } = await stage.account(MANAGER);
    const rule = await made(secret, { concurrency: { limit: 2, key: '/metadata/customer_id' } });
    expect(rule).toEqual({
      id: expect.stringMatching(/^flow_/),
      object: 'flow_rule',
      agent: writer,
      concurrency: { limit: 2, key: '/metadata/customer_id' },
      rate: null,
      created_at: expect.any(String),
    });
    const path = `/platform/v1/flow-rules/${rule.id}`;
    const rate = { limit: 5, period_seconds: 60, when_exceeded: 'refuse' };
    const changed = await read(
      await stage.call(path, { key: secret, method: 'PATCH', body: { concurrency: null, rate } }),
      200,
    );
    expect(changed).toEqual({ ...rule, concurrency: null, rate: { ...rate, key: null } });
    expect(await read(await stage.call(path, { key: secret }), 200)).toEqual(changed);
    expect(await read(await stage.call('/platform/v1/flow-rules', { key: secret }), 200)).toEqual({
      object: 'list',
      data: [changed],
    });
    await read(await stage.call(path, { key: secret, method: 'DELETE' }), 200);
    expect(await errorOf(await stage.call(path, { key: secret }))).toMatchObject({
      status: 404,
      code: 'flow_rule_not_found',
    });
    const { rows } = await stage.db.pool.query(
      `select action from audit_entries where workspace_id = $1 and subject_type = 'flow_rule' order by created_at`,
      [workspaceId],
    );
    expect(rows.map(({ action }) => action)).toEqual(['create_flow_rule', 'change_flow_rule', 'delete_flow_rule']);
  });

  test('refuses what they are not, by name', async () => {
    const { secret } = await stage.account(MANAGER);
    for (const [members, param] of [
      [{ agent: writer }, 'concurrency'],
      [{ agent: writer, concurrency: { limit: 1, key: 'metadata.customer' } }, 'concurrency.key'],
      [{ agent: writer, concurrency: { limit: 1, key: '/agent' } }, 'concurrency.key'],
      [{ agent: writer, rate: { limit: 1 } }, 'rate.period_seconds'],
      [{ agent: 'writer', concurrency: { limit: 1 } }, 'agent'],
    ] as const)
      expect(await errorOf(await stage.rule(secret, members))).toMatchObject({ status: 422, param });
    expect(await errorOf(await stage.rule(secret, { agent: 'no/body', concurrency: { limit: 1 } }))).toMatchObject({
      status: 404,
      code: 'agent_not_found',
    });
    const { id } = await made(secret, { concurrency: { limit: 1 } });
    expect(await errorOf(await stage.rule(secret, { agent: writer, concurrency: { limit: 1 } }))).toMatchObject({
      status: 409,
      code: 'flow_rule_exists',
    });
    const body = { concurrency: null };
    const emptied = await stage.call(`/platform/v1/flow-rules/${id}`, { key: secret, method: 'PATCH', body });
    expect(await errorOf(emptied)).toMatchObject({ status: 422, param: 'concurrency' });
  });

  test('are for keys that manage, and read by all', async () => {
    const { secret } = await stage.account({ scopes: ['agents'] });
    expect(await errorOf(await stage.rule(secret, { agent: writer, concurrency: { limit: 1 } }))).toMatchObject({
      status: 403,
    });
    await read(await stage.call('/platform/v1/flow-rules', { key: secret }), 200);
  });
});

describe('a rule with a concurrency', () => {
  test('counts the runs with the same value at its key together, and those without one', async () => {
    const { secret, workspaceId } = await stage.account(MANAGER);
    await made(secret, { concurrency: { limit: 1, key: '/metadata/customer_id' } });
    const seven = await stage.order(secret, cheap({ customer_id: '7' }));
    const again = await stage.order(secret, cheap({ customer_id: '7' }));
    const eight = await stage.order(secret, cheap({ customer_id: '8' }));
    const without = await stage.order(secret, cheap());
    const another = await stage.order(secret, cheap());
    expect([seven, eight, without].map(({ queue }) => queue)).toEqual([null, null, null]);
    expect(again.queue).toMatchObject({ waits_for: 'concurrency', key: '7', limit: 1, position: 1 });
    expect(another.queue).toMatchObject({ waits_for: 'concurrency', key: null, position: 1 });
    await stage.end(workspaceId, seven.id);
    expect(await stage.isAdmitted(again.id)).toBe(true);
    expect(await stage.isAdmitted(another.id)).toBe(false);
  });

  test('finds its key in the data of a typed input', async () => {
    const { secret, workspaceId } = await stage.account(MANAGER);
    const input_schema = { type: 'object', properties: { account: { type: 'object' } } };
    const agent = await stage.publish({ input_schema }, { workspaceId });
    await made(secret, { agent, concurrency: { limit: 1, key: '/input/data/account/id' } });
    const typed = (id: number) => ({
      agent,
      max_cost_usd: 0.01,
      input: [{ type: 'input_data', data: { account: { id } } }],
    });
    await stage.order(secret, typed(1));
    expect((await stage.order(secret, typed(2))).queue).toBeNull();
    expect((await stage.order(secret, typed(1))).queue).toMatchObject({ key: '1' });
  });

  test('goes with the key of the order: a run waits for both', async () => {
    const { secret, workspaceId } = await stage.account(MANAGER);
    await made(secret, { concurrency: { limit: 2 } });
    const own = { ...cheap(), concurrency: { key: 'a', limit: 1 } };
    const first = await stage.order(secret, own);
    const second = await stage.order(secret, own);
    // It overtakes the second one, which waits for its own key and not for the rule.
    const third = await stage.order(secret, cheap());
    expect(await stage.admittedOf(workspaceId)).toEqual([first.id, third.id]);
    await stage.end(workspaceId, third.id);
    expect(await stage.isAdmitted(second.id)).toBe(false);
    await stage.end(workspaceId, first.id);
    expect(await stage.isAdmitted(second.id)).toBe(true);
  });

  test('a higher limit, and the end of the rule, start the runs that waited for it', async () => {
    const { secret, workspaceId } = await stage.account(MANAGER);
    const { id } = await made(secret, { concurrency: { limit: 1 } });
    for (let nth = 0; nth < 4; nth += 1) await stage.order(secret, cheap());
    const path = `/platform/v1/flow-rules/${id}`;
    await read(await stage.call(path, { key: secret, method: 'PATCH', body: { concurrency: { limit: 3 } } }), 200);
    await stage.untilMany(workspaceId, 3);
    await read(await stage.call(path, { key: secret, method: 'DELETE' }), 200);
    await stage.untilMany(workspaceId, 4);
  });
});

describe('a rule with a rate', () => {
  test('queues the runs above its limit until the period has passed', async () => {
    const { secret, workspaceId } = await stage.account(MANAGER);
    await made(secret, { rate: { limit: 2, period_seconds: 60 } });
    const runs = [];
    for (let nth = 0; nth < 5; nth += 1) runs.push(await stage.order(secret, cheap()));
    expect(runs.map(({ queue }) => queue?.position ?? null)).toEqual([null, null, 1, 2, 3]);
    expect(runs[4]!.queue).toMatchObject({ waits_for: 'rate', limit: 2, period_seconds: 60 });
    // The end of a run is no new share.
    await stage.end(workspaceId, runs[0]!.id);
    expect(await stage.admittedOf(workspaceId)).toEqual([runs[1]!.id]);
    await stage.wait(workspaceId, 30);
    expect(await stage.isAdmitted(runs[2]!.id)).toBe(false);
    await stage.wait(workspaceId, 31);
    expect(await stage.admittedOf(workspaceId)).toEqual([runs[1], runs[2], runs[3]].map((run) => run!.id));
    await stage.wait(workspaceId, 61);
    expect(await stage.isAdmitted(runs[4]!.id)).toBe(true);
  });

  test('refuses them with 429 and when to come again, if it says so', async () => {
    const { secret, workspaceId } = await stage.account(MANAGER);
    const key = '/metadata/customer_id';
    await made(secret, { rate: { limit: 2, period_seconds: 60, key, when_exceeded: 'refuse' } });
    const ordered = Array.from({ length: 6 }, () => stage.post(cheap({ customer_id: '7' }), { key: secret }));
    const answers = await Promise.all(ordered);
    expect(answers.filter(({ status }) => status === 202)).toHaveLength(2);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(4);
    const refused = answers.find(({ status }) => status === 429)!;
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(50);
    expect(await errorOf(refused)).toMatchObject({ code: 'run_rate_exceeded' });
    expect((await stage.order(secret, cheap({ customer_id: '8' }))).queue).toBeNull();
    await stage.age(workspaceId, 61);
    expect((await stage.order(secret, cheap({ customer_id: '7' }))).queue).toBeNull();
  });

  test('a cancelled waiting run uses no share', async () => {
    const { secret, workspaceId } = await stage.account(MANAGER);
    await made(secret, { rate: { limit: 1, period_seconds: 60 } });
    await stage.order(secret, cheap());
    const [second, third] = [await stage.order(secret, cheap()), await stage.order(secret, cheap())];
    await read(await stage.cancel(second.id, secret), 202);
    await stage.wait(workspaceId, 61);
    expect(await stage.isAdmitted(third.id)).toBe(true);
  });
});
