import { describe, expect, test } from '@jest/globals';
import { createKey } from '../../db/keys/keyStore.ts';
import { findPlatformWorkspaceId } from '../../db/workspaces/workspaces.ts';
import { read, writer } from '../support/runRouteStage.ts';
import { setCommitStage } from './commitStage.ts';

// A client retries after an error, and its second try may be refused for what the first one has stored.
const { commits, stage } = await setCommitStage();

const { secret: user } = await stage.account({ scopes: ['llm', 'agents'], creditUsd: '10' });
const customer = await stage.account({ scopes: ['manage'], creditUsd: '10' });
const { secret: manager } = customer;
const { secret: publisher } = await stage.account({ scopes: ['publisher'] });
const workspaceId = (await findPlatformWorkspaceId(stage.db.everywhere))!;
const operator = async (name: string) =>
  (await createKey(stage.db.everywhere, { workspaceId, name, scopes: ['operator'], ownerUserId: `user_${name}` }))
    .secret;
const [ada, ben] = [await operator('ada'), await operator('ben')];

type Made = Record<string, unknown> & { id: string };

const make = async (path: string, key: string, body: object, status = 201): Promise<Made> =>
  read<Made>(await stage.call(path, { key, body }), status);

/** The answer to a request for which the database fails once its transaction with this statement is committed. */
const answered = (
  statement: string,
  path: string,
  {
    key,
    body,
    method = 'PATCH',
    ...more
  }: { key: string; body?: object; method?: string; headers?: Record<string, string> },
) => commits.during(statement, () => stage.call(path, { key, method, ...(body && { body }), ...more }));

interface Change {
  at: string;
  key: string;
  made: object;
  change: object;
}

describe('what is changed is answered once it is stored, also when nothing more can be read', () => {
  test.each<[string, Change]>([
    ['projects', { at: '/platform/v1/projects', key: manager, made: { name: 'Shop' }, change: { name: 'Store' } }],
    [
      'alerts',
      {
        at: '/platform/v1/alerts',
        key: manager,
        made: { type: 'spend', amount_usd: 5, period: 'daily' },
        change: { amount_usd: 6 },
      },
    ],
    [
      'flow_rules',
      {
        at: '/platform/v1/flow-rules',
        key: manager,
        made: { agent: writer, concurrency: { limit: 2 } },
        change: { concurrency: { limit: 3 } },
      },
    ],
    [
      'agent_alerts',
      {
        at: '/v1/publisher/alerts',
        key: stage.publisher.secret,
        made: { agent_id: stage.agent.id, type: 'failure_rate', threshold: 20 },
        change: { threshold: 30 },
      },
    ],
    [
      'webhook_endpoints',
      {
        at: '/platform/v1/webhook_endpoints',
        key: manager,
        made: { url: 'https://example.com/hooks' },
        change: { disabled: true },
      },
    ],
  ])('%s', async (table, { at, key, made, change }) => {
    const { id } = await make(at, key, made);
    const changed = await read<Made>(await answered(`update "${table}"`, `${at}/${id}`, { key, body: change }), 200);
    expect(changed).toMatchObject({ id, ...change });
    expect(await read(await stage.call(`${at}/${id}`, { key }), 200)).toEqual(changed);
  });

  test('a key', async () => {
    const { id } = await make('/console/v1/keys', manager, { name: 'one' });
    const body = { name: 'two', rpm_limit: 7 };
    const answer = await answered('update "api_keys"', `/console/v1/keys/${id}`, { key: manager, body });
    expect(await read(answer, 200)).toMatchObject({ id, ...body });
  });

  test('billing details', async () => {
    const path = '/platform/v1/billing/details';
    const body = { company: 'Example Ltd' };
    const changed = await read(await answered('insert into billing_details', path, { key: manager, body }), 200);
    expect(changed).toMatchObject(body);
    expect(await read(await stage.call(path, { key: manager }), 200)).toEqual(changed);
  });

  test('a draft, whose old revision the retry would send', async () => {
    const { id } = await make('/v1/publisher/agents', publisher, { namespace: 'verses', slug: 'poet' });
    const path = `/v1/publisher/agents/${id}`;
    const order = { key: publisher, body: { name: 'Poet' }, headers: { 'if-match': '"draft-1"' } };
    const answer = await answered('update "agents"', `${path}/draft`, order);
    expect(answer.headers.get('etag')).toBe('"draft-2"');
    expect(await read(answer, 200)).toEqual(await read(await stage.call(path, { key: publisher }), 200));
  });

  test("a session's directory, whose old generation the retry would send", async () => {
    const session = await make('/v1/sessions', user, {});
    const files = `/v1/sessions/${session.id}/files`;
    const { id } = await make(files, user, { kind: 'directory', name: 'notes' });
    const order = { key: user, body: { name: 'drafts' }, headers: { 'if-match': '"dir-1"' } };
    const answer = await answered('update "session_entries"', `${files}/${id}`, order);
    expect(answer.headers.get('etag')).toBe('"dir-2"');
    expect(await read(answer, 200)).toMatchObject({ id, name: 'drafts' });
  });
});

describe('what operators decide, once, is answered once it is stored', () => {
  test('an adjustment', async () => {
    const order = { workspace_id: customer.workspaceId, amount_usd: 3, reason: 'A refund.' };
    const { id } = await make('/console/v1/adjustments', ada, order);
    const path = `/console/v1/adjustments/${id}/approve`;
    const decided = await read(await answered('update "adjustments"', path, { key: ben, method: 'POST' }), 200);
    expect(decided).toMatchObject({ id, status: 'approved', workspace_name: expect.any(String) as unknown });
  });

  test('a comment on a submission, and its suspension', async () => {
    const { rows } = await stage.db.pool.query<{ id: string }>('select id from deployments where agent_id = $1', [
      stage.agent.id,
    ]);
    const at = `/console/v1/deployments/${rows[0]!.id}`;
    const comment = { key: ada, method: 'POST', body: { message: 'Please say more.' } };
    const added = await read<Made>(await answered('insert into "deployment_comments"', `${at}/comments`, comment), 201);
    expect(added.comments).toMatchObject([{ author: 'operator', message: 'Please say more.' }]);
    const body = { feedback: [{ severity: 'blocking', code: 'unsafe', path: '', message: 'It is unsafe.' }] };
    const suspended = await answered('update "deployments"', `${at}/suspend`, { key: ada, method: 'POST', body });
    expect(await read(suspended, 200)).toMatchObject({ status: 'suspended' });
  });
});
