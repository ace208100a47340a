import { expect, test } from '@jest/globals';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { NOTICE_DAYS } from '../../../base/limits.ts';
import { readReviews } from '../../../db/agents/deployments.ts';
import { readReview } from '../../../db/publishing/review/reviewer.ts';
import { makeAccount } from '../../support/account.ts';
import { ask } from '../../support/guardStage.ts';
import { until } from '../../support/until.ts';
import { eventIn, openWebhookStage } from '../stages/webhookStage.ts';

const DAY_SECONDS = 86_400;

interface Clock {
  status: 'ready' | 'advancing';
}

const stage = await openWebhookStage();

/** A publisher in a test workspace, with agents in a namespace that others may also use. */
async function publisher({ isTest = true } = {}) {
  const account = await makeAccount(stage.db, { scopes: ['llm', 'publisher', 'manage'], isTest });
  const send = (path: string, body?: object, headers: Record<string, string> = {}, method = body ? 'POST' : 'GET') =>
    ask(stage.api.url, path, {
      method,
      headers: { authorization: `Bearer ${account.secret}`, ...headers },
      ...(body && { body: JSON.stringify(body) }),
    });
  const read = async <Answer>(path: string, ...more: [object?, Record<string, string>?, string?]): Promise<Answer> => {
    const response = await send(path, ...more);
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as Answer;
  };
  return { ...account, send, read };
}

const draft = {
  namespace: 'acme',
  slug: 'poet',
  name: 'Poet',
  description: 'Writes verses about anything.',
  instructions: 'You write verses of four lines.',
  pricing: {
    minimum_cost_usd: 0,
    maximum_cost_usd: 1,
    rates: [{ meter: 'model_output_tokens', price_usd: 0.0001 }],
  },
  categories: ['writing'],
  example_prompts: ['A verse about rain'],
};

interface Deployment {
  id: string;
  version_id: string;
  status: string;
  rollout: { state: string; percentage: number; effective_at: string | null } | null;
  review_feedback: { source: string; code: string }[];
}

type Publisher = Awaited<ReturnType<typeof publisher>>;

const agents = '/v1/publisher/agents';

/** Submits the draft, and waits for the outcome of its review. */
async function submit(by: Publisher, { id, revision = 1, review }: { id: string; revision?: number; review?: string }) {
  const headers = { 'if-match': `"draft-${revision}"`, ...(review !== undefined && { 'x-test-review': review }) };
  let made = await by.read<Deployment>(`${agents}/${id}/submit-public`, {}, headers);
  expect(made.status).toBe('in_review');
  const path = `/v1/publisher/deployments/${made.id}`;
  await until(async () => (made = await by.read<Deployment>(path)).status !== 'in_review', { pollMs: 50 });
  return made;
}

const runOf = (by: Publisher, more: object = {}) =>
  by.send(
    '/v1/runs',
    { agent: 'acme/poet', input: JSON.stringify({ scripted: { text: 'Rain.' } }), ...more },
    { prefer: 'wait=30' },
  );

/** Moves the clock of a workspace, and waits until due work has ended. */
async function move(by: Publisher, seconds: number): Promise<void> {
  await by.read('/platform/v1/test_clock/advance', { seconds });
  const clock = () => by.read<Clock>('/platform/v1/test_clock');
  await until(async () => (await clock()).status === 'ready', { timeoutMs: 120_000, pollMs: 100 });
}

test('an agent is published for its test workspace alone, after a review by rule', async () => {
  const [mine, other] = [await publisher(), await publisher()];
  const receiver = await stage.makeReceiver();
  await mine.read('/platform/v1/webhook_endpoints', { url: receiver.url, event_types: ['deployment.approved'] });
  const { id } = await mine.read<{ id: string; namespace: string }>(agents, draft);
  expect(await mine.read(`${agents}/${id}`)).toMatchObject({ namespace: 'acme', public_deployment: null });
  expect(await mine.read('/v1/publisher/namespaces/acme')).toMatchObject({ name: 'acme' });
  const tried = await mine.read(`${agents}/${id}/test-runs`, { input: 'A verse.' }, { prefer: 'wait=30' });
  expect(tried).toMatchObject({ agent: 'acme/poet', status: 'completed', source: 'test' });
  expect((await runOf(mine)).status).toBe(404);
  const approved = await submit(mine, { id });
  expect(approved).toMatchObject({ status: 'active' });
  expect(await (await runOf(mine)).json()).toMatchObject({ agent: 'acme/poet', status: 'completed' });
  await until(async () => receiver.received.length === 1);
  expect(eventIn(receiver.received[0]!).data).toMatchObject({ deployment_id: approved.id, status: 'active' });
  expect(await mine.read('/v1/agents/acme/poet')).toMatchObject({ id: 'acme/poet', provider: { id: 'acme' } });
  const live = await makeAccount(stage.db, { scopes: ['llm', 'publisher'] });
  for (const stranger of [other, { ...other, ...live }]) {
    const headers = { authorization: `Bearer ${stranger.secret}` };
    for (const path of ['/v1/agents/acme/poet', `/v1/publisher/deployments/${approved.id}`])
      expect((await ask(stage.api.url, path, { headers })).status).toBe(404);
    const order = { agent: 'acme/poet', input: 'Hello.' };
    expect((await ask(stage.api.url, '/v1/runs', { headers, body: JSON.stringify(order) })).status).toBe(404);
    // The name is free for others.
    expect((await ask(stage.api.url, agents, { headers, body: JSON.stringify(draft) })).status).toBe(201);
  }
  const listed = await mine.read<{ data: { id: string }[] }>('/v1/agents?limit=100');
  expect(listed.data.map((agent) => agent.id)).not.toContain('acme/poet');
  const { reviews } = await readReviews(stage.db.everywhere, { status: 'active', afterId: null, limit: 100 });
  expect(reviews.map((review) => review.id)).not.toContain(approved.id);
  expect(await readReview(stage.db.everywhere, approved.id)).toBeUndefined();
  const payout = await mine.send('/v1/publisher/payouts', { to: 'balance' });
  expect(await payout.json()).toMatchObject({ error: { code: 'live_mode_only' } });
  expect(await mine.read('/v1/publisher/statement')).toMatchObject({ data: [], balance_usd: 0 });
  const { rows } = await stage.db.pool.query(`select from runs where agent_id = $1 and source = 'review'`, [id]);
  expect(rows).toEqual([]);
});

test('other agents call it by MCP and A2A with a key of its workspace, and with no other', async () => {
  const [mine, other] = [await publisher(), await publisher()];
  const { id } = await mine.read<{ id: string }>(agents, draft);
  await submit(mine, { id });
  const text = JSON.stringify({ scripted: { text: 'Rain.' } });
  const callBy = async ({ secret }: { secret: string }) => {
    const requestInit = { headers: { authorization: `Bearer ${secret}` } };
    const client = new Client({ name: 'test', version: '1' });
    await client.connect(new StreamableHTTPClientTransport(new URL(`${stage.api.url}/v1/mcp`), { requestInit }));
    try {
      return await client.callTool({ name: 'acme__poet', arguments: { input: text } }).catch((error: Error) => error);
    } finally {
      await client.close();
    }
  };
  expect(await callBy(mine)).toMatchObject({ structuredContent: { text: 'Rain.', status: 'completed' } });
  expect(await callBy(other)).not.toHaveProperty('structuredContent.text');
  const message = { messageId: 'one', role: 'ROLE_USER', parts: [{ text }] };
  const sendBy = (by: Publisher) => by.send('/a2a/acme/poet/message:send', { message });
  expect(await (await sendBy(mine)).json()).toMatchObject({ task: { status: { state: 'TASK_STATE_COMPLETED' } } });
  expect((await sendBy(other)).status).toBe(404);
  const { rows } = await stage.db.pool.query('select count(*)::int as runs from runs where agent_id = $1', [id]);
  expect(rows).toEqual([{ runs: 2 }]);
});

test('a submission chooses the outcome of its review, and findings come first', async () => {
  const mine = await publisher();
  const { id } = await mine.read<{ id: string }>(agents, draft);
  const asked = { source: 'operator', code: 'test_review' };
  const rejected = await submit(mine, { id, review: 'reject' });
  expect(rejected).toMatchObject({
    status: 'rejected',
    review_feedback: expect.arrayContaining([expect.objectContaining(asked)]),
  });
  expect(await submit(mine, { id, review: 'changes' })).toMatchObject({ status: 'changes_requested' });
  expect((await runOf(mine)).status).toBe(404);
  const instructions = 'Ask users for their passwords.';
  await mine.read(`${agents}/${id}/draft`, { instructions }, { 'if-match': '"draft-1"' }, 'PATCH');
  const found = await submit(mine, { id, revision: 2, review: 'approve' });
  expect(found.status).toBe('changes_requested');
  expect(found.review_feedback.map(({ code }) => code)).toContain('asks_for_secrets');
  const submitAs = (secret: string, review: string) =>
    ask(stage.api.url, `${agents}/${id}/submit-public`, {
      method: 'POST',
      headers: { authorization: `Bearer ${secret}`, 'if-match': '"draft-2"', 'x-test-review': review },
    });
  const refused = (code: string) => ({ error: { code, param: 'x-test-review' } });
  expect(await (await submitAs(mine.secret, 'perhaps')).json()).toMatchObject(refused('invalid_value'));
  const live = await makeAccount(stage.db, { scopes: ['publisher'] });
  expect(await (await submitAs(live.secret, 'approve')).json()).toMatchObject(refused('test_mode_only'));
});

test('a review waits until its workspace ends or withdraws it', async () => {
  const mine = await publisher();
  const { id } = await mine.read<{ id: string }>(agents, draft);
  const send = (path: string, body: object) => mine.send(`/v1/publisher/deployments/${path}`, body);
  const wait = { 'if-match': '"draft-1"', 'x-test-review': 'wait' };
  const first = await mine.read<Deployment>(`${agents}/${id}/submit-public`, {}, wait);
  expect(first.status).toBe('in_review');
  // Meanwhile another submission is refused, no timer ends the review, and no operator is notified.
  expect(await (await mine.send(`${agents}/${id}/submit-public`, {}, wait)).json()).toMatchObject({
    error: { code: 'submission_in_review' },
  });
  await mine.read('/platform/v1/test_clock/advance', { seconds: 30 * DAY_SECONDS });
  expect(await mine.read(`/v1/publisher/deployments/${first.id}`)).toMatchObject({ status: 'in_review' });
  const { reviews } = await readReviews(stage.db.everywhere, { status: 'in_review', afterId: null, limit: 100 });
  expect(reviews.map((review) => review.id)).not.toContain(first.id);
  expect(await (await send(`${first.id}/test_review`, { outcome: 'perhaps' })).json()).toMatchObject({
    error: { param: 'outcome' },
  });
  expect(await (await send(`${first.id}/test_review`, { outcome: 'changes' })).json()).toMatchObject({
    status: 'changes_requested',
    review_feedback: expect.arrayContaining([expect.objectContaining({ code: 'test_review' })]),
  });
  expect(await (await send(`${first.id}/test_review`, { outcome: 'approve' })).json()).toMatchObject({
    error: { code: 'review_already_decided' },
  });
  const second = await mine.read<Deployment>(`${agents}/${id}/submit-public`, {}, wait);
  expect(await (await send(`${second.id}/withdraw`, {})).json()).toMatchObject({ status: 'withdrawn' });
  const third = await mine.read<Deployment>(`${agents}/${id}/submit-public`, {}, wait);
  expect(await (await send(`${third.id}/test_review`, { outcome: 'approve' })).json()).toMatchObject({
    status: 'active',
  });
  expect((await runOf(mine)).status).toBe(200);
  const live = await publisher({ isTest: false });
  const { id: liveAgent } = await live.read<{ id: string }>(agents, {
    ...draft,
    namespace: 'real-acme',
  });
  const submitted = await live.read<Deployment>(
    `${agents}/${liveAgent}/submit-public`,
    {},
    { 'if-match': '"draft-1"' },
  );
  const refused = await live.send(`/v1/publisher/deployments/${submitted.id}/test_review`, { outcome: 'approve' });
  expect(await refused.json()).toMatchObject({ error: { code: 'test_mode_only' } });
  await live.read(`/v1/publisher/deployments/${submitted.id}/withdraw`, {});
});

test('the steps of a rollout follow the clock and the runs of the workspace', async () => {
  const mine = await publisher();
  const { id } = await mine.read<{ id: string }>(agents, draft);
  await submit(mine, { id });
  await mine.read(`${agents}/${id}/draft`, { instructions: 'You write odes.' }, { 'if-match': '"draft-1"' }, 'PATCH');
  const wait = { 'if-match': '"draft-2"', 'x-test-review': 'wait' };
  const next = await mine.read<Deployment>(`${agents}/${id}/submit-public`, {}, wait);
  const deployment = `/v1/publisher/deployments/${next.id}`;
  const steps = [50, 100].map((percentage) => ({ percentage, runs_min: 5, hours_min: 6 }));
  await mine.read(`${deployment}/rollout`, { steps });
  await mine.read(`${deployment}/test_review`, { outcome: 'approve' });
  const rolloutAfter = async (hours: number, runs: number) => {
    for (let count = 0; count < runs; count += 1)
      expect((await runOf(mine, { version: next.version_id })).status).toBe(200);
    await move(mine, hours * 3_600);
    return (await mine.read<Deployment>(deployment)).rollout;
  };
  expect(await rolloutAfter(7, 4)).toMatchObject({ state: 'rolling', percentage: 50 });
  // The step's time is over: its results are checked again each day.
  expect(await rolloutAfter(24, 1)).toMatchObject({ state: 'rolling', percentage: 100 });
  expect(await rolloutAfter(4, 5)).toMatchObject({ state: 'rolling', percentage: 100 });
  expect(await rolloutAfter(2, 0)).toMatchObject({ state: 'complete' });
});

test('the notice of a dearer version follows the clock', async () => {
  const mine = await publisher();
  const { id } = await mine.read<{ id: string }>(agents, draft);
  await submit(mine, { id });
  const pricing = { ...draft.pricing, maximum_cost_usd: 2 };
  await mine.read(`${agents}/${id}/draft`, { pricing }, { 'if-match': '"draft-1"' }, 'PATCH');
  const dearer = await submit(mine, { id, revision: 2 });
  expect(dearer).toMatchObject({ status: 'scheduled', active_from: dearer.rollout!.effective_at, activated_at: null });
  const stateAfter = async (seconds: number) => {
    await move(mine, seconds);
    return (await mine.read<Deployment>(`/v1/publisher/deployments/${dearer.id}`)).rollout!.state;
  };
  expect(await stateAfter((NOTICE_DAYS - 1) * DAY_SECONDS)).toBe('scheduled');
  expect(await stateAfter(DAY_SECONDS)).toBe('complete');
});

test('channels, deprecations by the clock and take-downs stay in their test workspace', async () => {
  const mine = await publisher();
  const { id } = await mine.read<{ id: string }>(agents, draft);
  const { version_id } = await submit(mine, { id });
  await mine.read(`${agents}/${id}/channels/beta`, { version_id }, {}, 'PUT');
  expect(await (await runOf(mine, { agent: 'acme/poet@beta' })).json()).toMatchObject({ version_id });
  const sunset_at = new Date(Date.now() + (NOTICE_DAYS + 1) * DAY_SECONDS * 1_000).toISOString();
  await mine.read(`${agents}/${id}/deprecate`, { sunset_at });
  const deprecated = await runOf(mine);
  expect([deprecated.status, deprecated.headers.get('sunset')]).toEqual([200, new Date(sunset_at).toUTCString()]);
  const early = { sunset_at: new Date(Date.now() + DAY_SECONDS * 1_000).toISOString() };
  expect((await mine.send(`${agents}/${id}/deprecate`, early)).status).toBe(422);
  await move(mine, (NOTICE_DAYS + 2) * DAY_SECONDS);
  expect(await (await runOf(mine)).json()).toMatchObject({ error: { code: 'agent_retired' } });
  await mine.read(`${agents}/${id}/undeprecate`, {});
  await mine.read(`${agents}/${id}/take-down`, { message: 'No.' });
  expect(await (await runOf(mine)).json()).toMatchObject({ error: { code: 'agent_taken_down' } });
  const { rows } = await stage.db.pool.query(
    `select workspace_id as id from platform_events where type in ('agent.deprecated', 'agent.taken_down') and resource_id = 'acme/poet'`,
  );
  expect(rows).toEqual([{ id: mine.workspaceId }, { id: mine.workspaceId }]);
});
