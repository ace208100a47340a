import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { insertAlert } from '../../../db/alerts/alerts.ts';
import { newId } from '../../../db/ids.ts';
import { createKey } from '../../../db/keys/keyStore.ts';
import { seedAgents } from '../../../db/publishing/houseAgents.ts';
import { insertProject } from '../../../db/projects/projects.ts';
import { chatBody } from '../../support/guardStage.ts';
import { expectAnswer, setAccountStage, type AccountStage } from '../accounts/accountStage.ts';

type Person = Awaited<ReturnType<AccountStage['person']>>;

/** In the names of what belongs to the other project, and nowhere else. */
const canary = 'canary7Qx2';

let stage: AccountStage;
let owner: Person;
let member: Person;
let workspaceId: string;
/** The project of the member and of a key, and another one, each with the ids of what it has. */
let own: Made;
let other: Made;
let routes: string[];

interface Made {
  projectId: string;
  keyId: string;
  secret: string;
  requestId: string;
  runId: string;
  alertId: string;
  scheduleId: string;
}

beforeAll(async () => {
  stage = await setAccountStage();
  await seedAgents(stage.db.everywhere);
  owner = await stage.person({ name: 'Olga Owner' });
  workspaceId = owner.me.workspace.id;
  await stage.credit(workspaceId, '20');
  [own, other] = [await makeProject('own'), await makeProject(canary)];
  member = await join('developer');
  await limit(member, [own.projectId]);
  const { paths } = (await (await stage.ask('/openapi.json')).json()) as { paths: Record<string, { get?: object }> };
  routes = Object.keys(paths).filter((path) => paths[path]!.get);
});
afterAll(() => stage?.close());

/** A project with a key, a call, a run, a schedule and an alert. */
async function makeProject(name: string): Promise<Made> {
  const { db } = stage;
  const by = { keyId: null, requestId: newId('req') };
  const [projectId, alertId] = [newId('proj'), newId('alert')];
  const unlimited = { spendLimitNanos: null, spendLimitPeriod: null };
  await insertProject(db.write(workspaceId), { id: projectId, by, name, ...unlimited });
  const scopes = ['llm', 'voice', 'batch', 'publisher', 'manage'];
  const key = await createKey(db.everywhere, { workspaceId, name, scopes, projectId });
  const budget = { amountNanos: 1n, period: 'daily', days: null, mail: false, recipients: null } as const;
  const alert = { kind: 'spend', keyId: null, projectId, ...budget } as const;
  const nothing = { postedNanos: 0n, heldNanos: 0n };
  await insertAlert(db.write(workspaceId), nothing, { id: alertId, by, percentages: [50], ...alert });
  const headers = { authorization: `Bearer ${key.secret}` };
  const chat = await stage.ask('/v1/chat/completions', { headers, body: chatBody() });
  const body = JSON.stringify({ agent: 'ledgerline/writer', input: name });
  const run = await stage.ask('/v1/runs', { headers, body });
  const { id: runId } = (await run.json()) as { id: string };
  const order = JSON.stringify({ cron: '0 8 * * *', name, run: { agent: 'ledgerline/writer', input: name } });
  const schedule = await stage.ask('/v1/schedules', { headers, body: order });
  const { id: scheduleId } = (await schedule.json()) as { id: string };
  return {
    projectId,
    scheduleId,
    alertId,
    keyId: key.id,
    secret: key.secret,
    requestId: chat.headers.get('x-request-id')!,
    runId,
  };
}

async function join(role: string): Promise<Person> {
  const person = await stage.person({ name: `Mr ${role}` });
  expectAnswer(await owner.post('auth/organization/invite-member', { email: person.email, role }), 200);
  const { link } = await stage.mailTo(person.email, 'Join');
  await person.post('auth/organization/accept-invitation', { invitationId: new URL(link).pathname.split('/').at(-1)! });
  await person.post('auth/organization/set-active', { organizationId: workspaceId });
  return person;
}

const userIdOf = ({ me }: Person): string => me.user.id;
const limit = (person: Person, ids: string[] | null, by = owner) =>
  by.send('PATCH', `/console/v1/members/${userIdOf(person)}`, { project_ids: ids });

/** Asks as the member, on the console, and as the key of the member's project. */
const callers: [string, (path: string) => Promise<{ status: number; text: string }>][] = [
  [
    'a member who is limited to another project',
    async (path) => {
      // The console has the routes of billing without that folder.
      const { status, body } = await member.get<object>(path.replace(/^billing\//, ''));
      return { status, text: JSON.stringify(body) };
    },
  ],
  [
    'a key of another project',
    async (path) => {
      const response = await stage.ask(`/platform/v1/${path}`, { headers: { authorization: `Bearer ${own.secret}` } });
      return { status: response.status, text: await response.text() };
    },
  ],
];

describe.each(callers)('what belongs to a project is not seen by %s:', (_who, ask) => {
  const marks = () => [canary, ...Object.values(other)];
  const tells = (text: string) => marks().filter((mark) => text.includes(mark));

  test('in no list of the platform', async () => {
    const lists = routes.filter((path) => path.startsWith('/platform/v1/') && !path.includes('{'));
    expect(lists.length).toBeGreaterThan(15);
    const told: object[] = [];
    for (const path of lists) {
      const groups = path.startsWith('/platform/v1/usage') ? ['day', 'key', 'project'] : [undefined];
      for (const group of groups) {
        const asked = group === undefined ? (path.endsWith('/search') ? `?query=${canary}` : '') : `?group_by=${group}`;
        const { status, text } = await ask(path.slice('/platform/v1/'.length) + asked);
        if (tells(text).length > 0 || status >= 500) told.push({ path, status, tells: tells(text) });
      }
    }
    expect(told).toEqual([]);
  });

  test('by its ids: 404, as if it did not exist', async () => {
    const { projectId, requestId, runId, alertId, keyId } = other;
    const paths = [
      `projects/${projectId}`,
      `requests/${requestId}`,
      `explain/${requestId}`,
      `explain/${runId}`,
      `receipts/${requestId}`,
      `alerts/${alertId}`,
    ];
    const answers = await Promise.all(paths.map(async (path) => [path, (await ask(path)).status]));
    expect(answers).toEqual(paths.map((path) => [path, 404]));
    for (const id of [requestId, runId, keyId])
      expect((await ask(`search?query=${id}`)).text).not.toContain(`"id":"${id}"`);
  });

  test('in streams that can be resumed', async () => {
    const headers = { authorization: `Bearer ${other.secret}` };
    const body = JSON.stringify({ ...(JSON.parse(chatBody()) as object), stream: true });
    const streamed = await stage.ask('/v1/chat/completions', { headers, body });
    const path = `requests/${streamed.headers.get('x-request-id')!}/stream`;
    await streamed.text();
    expect((await stage.ask(`/platform/v1/${path}`, { headers })).status).toBe(200);
    expect((await ask(path)).status).toBe(404);
  });

  test('in sums: usage and spending are those of its own project', async () => {
    expect(JSON.parse((await ask('usage')).text).total).toMatchObject({ requests: 1 });
    expect(JSON.parse((await ask('requests/totals')).text)).toMatchObject({ count: 1 });
    expect(JSON.parse((await ask('projects')).text).data).toMatchObject([{ id: own.projectId }]);
  });

  test('and what concerns the whole workspace is refused: 403 limited_to_projects', async () => {
    const billing = ['ledger', 'statement', 'topups', 'invoices', 'details'].map((name) => `billing/${name}`);
    for (const path of [...billing, 'webhook_endpoints', 'events', 'events/stream']) {
      const { status, text } = await ask(path);
      expect({ path, status, text }).toMatchObject({
        status: 403,
        text: expect.stringMatching(/limited_to_projects|role_not_allowed/),
      });
    }
  });
});

describe('runs', () => {
  test('are those of the project', async () => {
    const { body } = await member.get('runs');
    expect(body.data.map(({ id }) => id)).toEqual([own.runId]);
    for (const part of ['', '/events', '/steps', '/feedback'])
      expect((await member.get(`runs/${other.runId}${part}`)).status).toBe(404);
    for (const part of ['cancel', 'input', 'rerun'])
      expect((await member.post(`runs/${other.runId}/${part}`, { from_step: 1, input: 'x' })).status).toBe(404);
    expect((await member.get(`runs/${own.runId}/steps`)).status).toBe(200);
  });
});

test('runs of another project are unknown to the tools of the MCP server: they are neither read nor answered', async () => {
  const call = async (name: string, more: object = {}, runId = other.runId) => {
    const params = { name, arguments: { run_id: runId, ...more } };
    const headers = { authorization: `Bearer ${own.secret}`, accept: 'application/json' };
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
    return (await stage.ask('/v1/mcp', { headers, body })).text();
  };
  expect(await call('get_run')).toContain('run_not_found');
  expect(await call('answer_run', { answer: 'Yes' })).toContain('run_not_found');
  expect(await call('answer_run', { answer: 'Yes' }, own.runId)).toContain('run_not_waiting');
});

describe('schedules', () => {
  test('are those whose key is of the project: others are neither read nor changed, by members and by keys', async () => {
    const headers = { authorization: `Bearer ${own.secret}` };
    const { body: list } = await member.get('schedules');
    expect(list.data.map(({ id }) => id)).toEqual([own.scheduleId]);
    expect(await (await stage.ask('/v1/schedules', { headers })).text()).not.toContain(canary);
    const theirs = `/v1/schedules/${other.scheduleId}`;
    const asked: [string, string, object?][] = [
      ['GET', theirs],
      ['GET', `${theirs}/runs`],
      ['PATCH', theirs, { name: 'mine' }],
      ['POST', `${theirs}/pause`, {}],
      ['POST', `${theirs}/resume`, {}],
      ['POST', `${theirs}/trigger`, {}],
      ['DELETE', theirs],
    ];
    for (const [method, path, body] of asked) {
      const { status } = await stage.ask(path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
      expect({ method, path, status }).toEqual({ method, path, status: 404 });
      expect((await member.send(method, path.replace('/v1/', '/console/v1/'), body)).status).toBe(404);
    }
    const { body: kept } = await owner.get<object>(`schedules/${other.scheduleId}`);
    expect(kept).toMatchObject({ name: canary, status: 'active' });
    expect((await member.send('PATCH', `/console/v1/schedules/${own.scheduleId}`, { name: 'ours' })).status).toBe(200);
  });

  test('do not show runs that their key started for another project, before it was moved', async () => {
    const { pool } = stage.db;
    for (const { runId } of [own, other]) {
      await pool.query(
        `insert into schedule_firings (id, schedule_id, workspace_id, workflow_id, scheduled_at, outcome, run_id) values ($1, $2, $3, $1, now(), 'started', $4)`,
        [newId('fire'), own.scheduleId, workspaceId, runId],
      );
    }
    const { body: schedule } = await member.get<object>(`schedules/${own.scheduleId}`);
    expect(JSON.stringify(schedule)).toContain(own.runId);
    expect(JSON.stringify(schedule)).not.toContain(other.runId);
  });
});

describe('a member who is limited to a project', () => {
  test('makes keys there alone, and changes only those', async () => {
    const made = await member.post('keys', { name: 'mine', scopes: ['llm'] });
    expect(made).toMatchObject({ status: 201, body: { project_id: own.projectId } });
    for (const id of [other.projectId, 'default'])
      expect((await member.post('keys', { name: 'theirs', project_id: id })).status).toBe(404);
    const move = (id: string, to: string) => member.send('PATCH', `/console/v1/keys/${id}`, { project_id: to });
    expect((await move(made.body.id, other.projectId)).status).toBe(404);
    expect((await move(other.keyId, own.projectId)).status).toBe(404);
    expect((await member.send('DELETE', `/console/v1/keys/${other.keyId}`)).status).toBe(404);
    expect((await member.post(`keys/${other.keyId}/rotate`)).status).toBe(404);
    expect((await member.get(`keys/${other.keyId}/impact`)).status).toBe(404);
    expect((await member.get('keys')).body.data.map(({ id }) => id).toSorted()).toEqual(
      [made.body.id, own.keyId].toSorted(),
    );
  });

  test('neither makes nor changes projects, nor limits members', async () => {
    expect((await member.post('projects', { name: 'x' })).status).toBe(403);
    expect((await member.send('PATCH', `/console/v1/projects/${own.projectId}`, { name: 'x' })).status).toBe(403);
    expect((await limit(member, null, member)).status).toBe(403);
  });

  test('does not rename the workspace', async () => {
    expect(await member.send('PATCH', '/console/v1/workspace', { name: 'Mine' })).toMatchObject({
      status: 403,
      body: { error: { code: 'limited_to_projects' } },
    });
  });

  test('spends in the project from the console too', async () => {
    const body = JSON.parse(chatBody()) as object;
    const { status, headers } = await member.post('chat/completions', body);
    expect(status).toBe(200);
    const { body: request } = await owner.get(`requests/${headers.get('x-request-id')}`);
    expect(request.project_id).toBe(own.projectId);
  });

  test('sees all again once the limit is gone, and nothing of the default project before', async () => {
    const { id } = await createKey(stage.db.everywhere, { workspaceId, name: 'default', scopes: ['llm'] });
    const seen = async () => (await member.get('keys')).body.data.map((key) => key.id);
    expect(await seen()).not.toContain(id);
    expect(await limit(member, null)).toMatchObject({ status: 200, body: { project_ids: null } });
    expect(await seen()).toEqual(expect.arrayContaining([id, other.keyId]));
    await limit(member, [own.projectId]);
  });

  test('is not an owner, nor someone who pays for everything; and the project exists', async () => {
    expect(await limit(owner, [own.projectId])).toMatchObject({
      status: 409,
      body: { error: { code: 'role_not_limitable' } },
    });
    expect((await limit(member, ['proj_none'])).status).toBe(404);
    const { body } = await owner.get('members');
    expect(body.data).toMatchObject([
      { role: 'owner', project_ids: null },
      { role: 'developer', project_ids: [own.projectId] },
    ]);
  });
});
