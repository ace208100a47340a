import { afterAll, expect, test } from '@jest/globals';
import { recordEvent } from '../../../db/events/platformEvents.ts';
import { createKey } from '../../../db/keys/keyStore.ts';
import { createSealingKey, parseSealingKeys } from '../../../db/sealing/sealingKeys.ts';
import { openSecretBox } from '../../../db/sealing/secretBox.ts';
import { setGuardStage, type ErrorBody } from '../../support/guardStage.ts';

interface Answer {
  status: number;
  body: Record<string, unknown> & ErrorBody & { id: string; data: Record<string, unknown>[] };
}

const endpoints = '/platform/v1/webhook_endpoints';
const events = '/platform/v1/events';
const url = 'https://example.com/hooks';

const stage = await setGuardStage();
await openSecretBox(stage.db.everywhere, parseSealingKeys(createSealingKey()));
const { workspaceId } = await stage.account();
const [publisher, manager] = await Promise.all([asking('publisher'), asking('manage')]);
afterAll(() => stage.close());

async function asking(scope: string) {
  const { secret } = await createKey(stage.db.everywhere, { workspaceId, name: scope, scopes: [scope] });
  return async (method: string, path: string, body?: object): Promise<Answer> => {
    const sent = { method, headers: { authorization: `Bearer ${secret}` } };
    const response = await stage.ask(path, { ...sent, ...(body && { body: JSON.stringify(body) }) });
    return { status: response.status, body: (await response.json()) as Answer['body'] };
  };
}

const record = (type: 'deployment.approved' | 'key.created') =>
  recordEvent({ client: stage.db.pool }, workspaceId, { type, resourceType: 'thing', resourceId: 'thing_1', data: {} });

test('a publisher’s key has endpoints for the events of agents, and for no others', async () => {
  const made = await publisher('POST', endpoints, { url, event_types: ['deployment.approved', 'agent.failing'] });
  expect(made).toMatchObject({ status: 201, body: { secret: expect.stringMatching(/^whsec_/) } });
  for (const types of [['*'], [], undefined, ['run.failed'], ['deployment.approved', 'balance.low']])
    expect(await publisher('POST', endpoints, { url, event_types: types })).toMatchObject({
      status: 422,
      body: { error: { param: 'event_types', message: expect.stringContaining('agent.failing') } },
    });
  const one = `${endpoints}/${made.body.id}`;
  expect((await publisher('PATCH', one, { event_types: null })).body.error.param).toBe('event_types');
  expect((await publisher('PATCH', one, { event_types: ['payout.sent'] })).body).toMatchObject({
    event_types: ['payout.sent'],
  });
  expect((await publisher('POST', `${one}/rotate_secret`)).status).toBe(200);
  expect((await publisher('POST', `${one}/test`)).status).toBe(202);
  expect((await publisher('GET', `${one}/deliveries`)).body.data).toMatchObject([
    { event_type: 'webhook_endpoint.test' },
  ]);
  expect((await publisher('DELETE', one)).status).toBe(200);
});

test('it neither sees nor changes other endpoints of its workspace', async () => {
  const others = await Promise.all(
    [['*'], ['key.created'], ['deployment.approved', 'key.created']].map((types) =>
      manager('POST', endpoints, { url, event_types: types }),
    ),
  );
  const shared = await manager('POST', endpoints, { url, event_types: ['deployment.approved'] });
  expect((await publisher('GET', endpoints)).body.data.map(({ id }) => id)).toEqual([shared.body.id]);
  for (const { body } of others)
    for (const [method, at, sent] of [
      ['GET', '', undefined],
      ['PATCH', '', { disabled: true }],
      ['DELETE', '', undefined],
      ['POST', '/test', undefined],
      ['POST', '/rotate_secret', undefined],
      ['GET', '/deliveries', undefined],
    ] as const)
      expect(await publisher(method, `${endpoints}/${body.id}${at}`, sent)).toMatchObject({
        status: 404,
        body: { error: { code: 'webhook_endpoint_not_found' } },
      });
  for (const { body } of [...others, shared]) await manager('DELETE', `${endpoints}/${body.id}`);
});

test('it reads and redelivers the events of agents alone', async () => {
  const [approved, created] = [await record('deployment.approved'), await record('key.created')];
  const typesOf = ({ body }: Answer) => new Set(body.data.map(({ type }) => type));
  expect(typesOf(await publisher('GET', events))).toEqual(new Set(['deployment.approved', 'webhook_endpoint.test']));
  expect(typesOf(await publisher('GET', `${events}?type=deployment.approved`))).toEqual(
    new Set(['deployment.approved']),
  );
  expect((await publisher('GET', `${events}?type=key.created`)).body.error).toMatchObject({ param: 'type' });
  expect(typesOf(await manager('GET', events))).toContain('key.created');
  expect((await publisher('POST', `${events}/${approved}/redeliver`)).status).toBe(202);
  expect((await publisher('POST', `${events}/${created}/redeliver`)).body.error.code).toBe('event_not_found');
  // Without the type of a run's event among those of agents, the content of runs stays away too.
  expect((await publisher('GET', `${events}?type=run.completed`)).status).toBe(422);
});
