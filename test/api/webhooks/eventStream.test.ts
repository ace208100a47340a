import { afterAll, describe, expect, test } from '@jest/globals';
import { keyEnded } from '../../../base/errors/keyErrors.ts';
import { FEEDS_MAX } from '../../../db/eventStreams/followWorkspaces.ts';
import type { PlatformEventType } from '../../../db/events/eventTypes.ts';
import { recordEvent } from '../../../db/events/platformEvents.ts';
import { KEY_SCOPES } from '../../../db/keys/grants.ts';
import { createKey, revokeKey } from '../../../db/keys/keyStore.ts';
import { updateKey, type KeyChange } from '../../../db/keys/manageKeys.ts';
import { insertProject } from '../../../db/projects/projects.ts';
import { WEBHOOK_BYTES_MAX } from '../../../db/webhooks/webhookBody.ts';
import { setGuardStage, type ErrorBody } from '../../support/guardStage.ts';
import { finishTestRun, makeRun } from '../../support/run.ts';
import { readEvents, type ReadEvent } from '../../support/streams.ts';

const path = '/platform/v1/events/stream';

const stage = await setGuardStage();
const account = await stage.account({ scopes: ['manage'] });
afterAll(() => stage.close());

const keyOf = (scopes: string[], more: object = {}) =>
  createKey(stage.db.everywhere, { workspaceId: account.workspaceId, name: scopes[0]!, scopes, ...more });

const record = (type: PlatformEventType = 'balance.low', { workspaceId } = account, data: object = {}) =>
  recordEvent({ client: stage.db.pool }, workspaceId, { type, resourceType: 'thing', resourceId: 'thing_1', data });

interface Asked {
  secret?: string;
  query?: string;
  after?: string;
  url?: string;
}

/** An open stream, and its events one after another. */
async function open({ secret = account.secret, query = '', after, url = stage.url }: Asked = {}) {
  const leaving = new AbortController();
  const headers = { authorization: `Bearer ${secret}`, ...(after !== undefined && { 'last-event-id': after }) };
  const response = await fetch(url + path + query, { headers, signal: leaving.signal });
  const events = response.status === 200 ? readEvents(response) : undefined;
  const take = async (count: number): Promise<ReadEvent[]> => {
    const taken: ReadEvent[] = [];
    while (taken.length < count) taken.push((await events!.next()).value as ReadEvent);
    return taken;
  };
  const refusal = async () => ({ status: response.status, ...((await response.json()) as ErrorBody).error });
  return { response, take, refusal, leave: () => leaving.abort() };
}

const idsOf = (events: ReadEvent[]) => events.map(({ id }) => id);

async function bodyOf(id: string): Promise<unknown> {
  const response = await stage.ask(`/platform/v1/events/${id}`, {
    headers: { authorization: `Bearer ${account.secret}` },
  });
  return response.json();
}

describe('the stream of a workspace', () => {
  test('begins now and sends each event as it happens, as it is read by its id', async () => {
    await record();
    const { response, take, leave } = await open();
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
    });
    const run = await makeRun(stage.db, account);
    const ids = [await record('key.revoked'), await finishTestRun(stage.db, run)];
    const events = await take(2);
    expect(idsOf(events)).toEqual(ids);
    expect(events.map(({ type }) => type)).toEqual(['key.revoked', 'run.completed']);
    for (const { id, data } of events) expect(data).toEqual(await bodyOf(id));
    leave();
  });

  test('sends the body of a webhook, whose size is limited', async () => {
    const { take, leave } = await open();
    await record('balance.low', account, { text: 'x'.repeat(WEBHOOK_BYTES_MAX) });
    expect((await take(1))[0]!.data.data).toEqual({ id: 'thing_1', object: 'thing', truncated: true });
    leave();
  });

  test('continues after Last-Event-ID, at another process too, and after one was killed', async () => {
    const first = await open();
    const ids = [await record(), await record()];
    expect(idsOf(await first.take(2))).toEqual(ids);
    first.leave();
    ids.push(await record());
    const another = await stage.startAnother();
    const second = await open({ url: another.url, after: ids[0] });
    ids.push(await record());
    expect(idsOf(await second.take(3))).toEqual(ids.slice(1));
    process.kill(another.pid, 'SIGKILL');
    await expect(second.take(1)).rejects.toThrow();
    ids.push(await record());
    const third = await open({ after: ids[3] });
    expect(idsOf(await third.take(1))).toEqual(ids.slice(4));
    third.leave();
  });

  test('says after which event it begins, so that nothing is lost before the first one', async () => {
    const before = await record();
    const cut = await open();
    const id = cut.response.headers.get('last-event-id')!;
    cut.leave();
    const missed = await record();
    const next = await open({ after: id });
    expect([id, idsOf(await next.take(1))]).toEqual([before, [missed]]);
    next.leave();
  });

  test('begins before the oldest event after 0, which is where a workspace without events begins', async () => {
    const { workspaceId, secret } = await stage.account({ scopes: ['manage'] });
    await stage.db.pool.query('delete from platform_events where workspace_id = $1', [workspaceId]);
    const cut = await open({ secret });
    expect(cut.response.headers.get('last-event-id')).toBe('0');
    cut.leave();
    const first = await record('balance.low', { ...account, workspaceId });
    const next = await open({ secret, after: '0' });
    expect(idsOf(await next.take(1))).toEqual([first]);
    next.leave();
  });

  test('ends with its process, and continues at the next one', async () => {
    const another = await stage.startAnother();
    const ended = await open({ url: another.url });
    const ids = [await record()];
    expect(idsOf(await ended.take(1))).toEqual(ids);
    await another.stop();
    expect(await ended.take(1)).toEqual([undefined]);
    ids.push(await record());
    const next = await open({ after: ids[0] });
    expect(idsOf(await next.take(1))).toEqual(ids.slice(1));
    next.leave();
  });

  test('has the types in `types`, repeated or with commas between', async () => {
    const streams = await Promise.all(
      ['?types=key.revoked,run.failed', '?types=run.failed&types=key.revoked'].map((query) => open({ query })),
    );
    const all = await open({ query: '?types=key.created,*' });
    const ids = [await record('balance.low'), await record('key.revoked')];
    for (const { take } of streams) expect(idsOf(await take(1))).toEqual(ids.slice(1));
    expect(idsOf(await all.take(2))).toEqual(ids);
    for (const { leave } of [...streams, all]) leave();
  });

  test('has no event of another workspace, and does not know its ids', async () => {
    const other = await stage.account({ scopes: ['manage'] });
    const { take, leave } = await open();
    const theirs = await record('balance.low', other);
    const own = await record();
    expect(idsOf(await take(1))).toEqual([own]);
    leave();
    const foreign = await (await open({ after: theirs })).refusal();
    const unknown = await (await open({ after: 'evt_nothing' })).refusal();
    expect(foreign).toMatchObject({ status: 410, code: 'event_expired' });
    expect(foreign.message.replace(theirs, 'evt_nothing')).toBe(unknown.message);
  });

  test('answers HEAD without a body', async () => {
    const headers = { authorization: `Bearer ${account.secret}` };
    const response = await stage.ask(path, { method: 'HEAD', headers });
    expect([response.status, await response.text()]).toEqual([200, '']);
  });
});

describe('a key', () => {
  test('of a publisher has the events of agents and payouts alone', async () => {
    const { secret } = await keyOf(['publisher']);
    const { take, leave } = await open({ secret });
    await record('balance.low');
    const ids = [await record('deployment.approved'), await record('payout.sent')];
    expect(idsOf(await take(2))).toEqual(ids);
    leave();
    expect(await (await open({ secret, query: '?types=balance.low' })).refusal()).toMatchObject({
      status: 422,
      param: 'types',
    });
  });

  test('needs a scope of those that make webhook endpoints', async () => {
    for (const scope of ['llm', 'agents', 'voice']) {
      const { secret } = await keyOf([scope]);
      expect(await (await open({ secret })).refusal()).toMatchObject({ status: 403, code: 'scope_not_allowed' });
    }
  });

  test('that is revoked ends its stream with an error without an id, and no other', async () => {
    const { id, secret } = await keyOf(['manage']);
    const [ending, other] = [await open({ secret }), await open()];
    await revokeKey(stage.db, id);
    expect(await ending.response.text()).toContain(
      `event: error\ndata: ${JSON.stringify({ error: keyEnded().body })}\n\n`,
    );
    const next = await record();
    // The key's own end is an event too, or not: that is for others to test.
    const seen: string[] = [];
    while (!seen.includes(next)) seen.push(...idsOf(await other.take(1)));
    other.leave();
    expect((await open({ secret })).response.status).toBe(401);
  });

  test('whose rights change ends its stream, which continues only with those that it has now', async () => {
    const rows = stage.db.write(account.workspaceId);
    const by = { keyId: null, requestId: 'req_test' };
    const project = { id: 'proj_narrow', name: 'narrow', spendLimitNanos: null, spendLimitPeriod: null, by };
    expect(await insertProject(rows, project)).toMatchObject({ id: project.id });
    const manager = { ...by, grantable: new Set(KEY_SCOPES) };
    const defaults = { rpm: 60, concurrency: 10 };
    const change = async (id: string, to: KeyChange) =>
      expect(await updateKey(rows, id, { change: to, by: manager, defaults })).toMatchObject({ id });
    for (const narrower of [{ scopes: ['llm'] }, { projectId: project.id }, { allowedIps: ['192.0.2.1/32'] }]) {
      const { id, secret } = await keyOf(['manage']);
      const [ending, other] = [await open({ secret }), await open()];
      await change(id, { name: 'renamed' });
      const before = await record();
      await ending.take(1).then(([event]) => expect(event!.id).toBe(before));
      await change(id, narrower);
      expect(await ending.take(1)).toEqual([undefined]);
      await record();
      expect(await other.take(2)).toHaveLength(2);
      other.leave();
      expect((await open({ secret, after: before })).response.status).toBe(403);
    }
  });

  test('has as many streams as its concurrency limit; requests are counted apart', async () => {
    const { secret } = await keyOf(['manage'], { concurrencyLimit: 1 });
    const first = await open({ secret });
    expect(await (await open({ secret })).refusal()).toMatchObject({
      status: 429,
      code: 'concurrency_limit_exceeded',
      message: expect.stringContaining('event streams: Limit 1'),
    });
    const list = await stage.ask('/platform/v1/events', { headers: { authorization: `Bearer ${secret}` } });
    expect(list.status).toBe(200);
    first.leave();
  });
});

test('a workspace has a limited number of streams, over all keys', async () => {
  const crowded = await stage.account({ scopes: ['manage'] });
  const streams = await Promise.all(Array.from({ length: FEEDS_MAX }, () => open(crowded)));
  expect(streams.map(({ response }) => response.status)).toEqual(streams.map(() => 200));
  expect(await (await open(crowded)).refusal()).toMatchObject({
    status: 429,
    code: 'too_many_event_streams',
    message: expect.stringContaining(`Limit ${FEEDS_MAX}`),
  });
  expect((await open()).response.status).toBe(200);
  for (const { leave } of streams) leave();
});

test('refuses unknown types and malformed ids by their name', async () => {
  for (const query of ['?types=run.done', '?types=', '?types=key.created,run.done'])
    expect(await (await open({ query })).refusal()).toMatchObject({
      status: 422,
      code: 'validation_error',
      param: expect.stringMatching(/^types/),
    });
  expect(await (await open({ query: '?type=key.created' })).refusal()).toMatchObject({ status: 422, param: 'type' });
  for (const after of ['7', 'run_abc', 'evt_a-b'])
    expect(await (await open({ after })).refusal()).toMatchObject({ status: 400, code: 'invalid_event_id' });
});
