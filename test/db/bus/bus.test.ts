import { afterAll, afterEach, beforeAll, beforeEach, expect, jest, test } from '@jest/globals';
import { Client } from 'pg';
import { createInquiries } from '../../../db/answers/inquiries.ts';
import { openDatabase, type Database } from '../../../db/database.ts';
import { revokeKey } from '../../../db/keys/keyStore.ts';
import { recordEvent } from '../../../db/events/platformEvents.ts';
import { RUNS_PROCESS } from '../../../db/ledger/runHolds.ts';
import { type Notice, sendNotice } from '../../../db/postgres/notices.ts';
import { inTransaction } from '../../../db/postgres/transaction.ts';
import { findLimitsProgram, startLimitsServer } from '../../../ops/stack/limitsServer.ts';
import type { Child } from '../../../ops/stack/process/child.ts';
import { makeAccount } from '../../support/account.ts';
import { retime } from '../../support/clock.ts';
import { makeDatabase } from '../../support/database.ts';
import { makeFolder, type TestFolder } from '../../support/folder.ts';
import { describeWhen } from '../../support/needs.ts';
import { steadyPort } from '../../support/network.ts';
import { addEvents, delta, finishTestRun, makeRun } from '../../support/run.ts';
import { until } from '../../support/until.ts';

const searchPath = process.env.PATH ?? '';

describeWhen(findLimitsProgram(searchPath), 'Valkey or Redis')('two processes with a bus', () => {
  let folder: TestFolder;
  let server: Child;
  let database: Awaited<ReturnType<typeof makeDatabase>>;
  let one: Database;
  let other: Database;
  let listener: Client;
  const errors: unknown[] = [];
  const notified: string[] = [];
  let heard: Notice[];
  let stopListening: () => void;

  beforeAll(async () => {
    folder = await makeFolder();
    const port = await steadyPort();
    server = await startLimitsServer({ dataDir: folder.path, searchPath, port, log: () => {} });
    database = await makeDatabase();
    const place = { url: database.url, busUrl: `redis://127.0.0.1:${port}`, spends: true };
    const onError = (error: unknown) => errors.push(error);
    [one, other] = await Promise.all([openDatabase({ ...place, onError }), openDatabase({ ...place, onError })]);
    listener = new Client({ connectionString: database.url });
    await listener.connect();
    await listener.query('listen ledgerline');
    listener.on('notification', ({ payload }) => notified.push((JSON.parse(payload!) as Notice).kind));
  });
  beforeEach(() => {
    // On a busy machine a message may take longer than a process waits, and then goes both ways.
    retime({ fromMs: 500, toMs: 60_000 });
    heard = [];
    stopListening = other.notices.listen((notice) => heard.push(notice));
  });
  afterEach(() => {
    jest.restoreAllMocks();
    stopListening();
  });
  afterAll(async () => {
    await listener?.end();
    await Promise.all([one?.close(), other?.close()]);
    await server?.stop(5_000);
    await database?.drop();
    await folder?.remove();
  });

  const hears = (kind: Notice['kind']) => until(async () => heard.some((notice) => notice.kind === kind));
  /** The kinds that went through the database so far: its notices arrive in order, and this is the last one. */
  async function kindsNotified(): Promise<string[]> {
    await one.notices.notifyAll(one.pool, { kind: 'catalog' });
    await until(async () => notified.includes('catalog'));
    return notified.splice(0).filter((kind) => kind !== 'catalog' && kind !== 'scarce');
  }

  test('the end of a run and an event of a workspace are heard, and neither takes the lock of NOTIFY', async () => {
    const heardOf = () => heard.filter(({ kind }) => kind === 'event' || kind === 'webhook');
    const { workspaceId, ...account } = await makeAccount(one);
    const told = [{ kind: 'event', workspaceId }, { kind: 'webhook' }];
    // Of the account's key.
    await until(async () => heardOf().length >= 2);
    await one.pool.query(
      `insert into webhook_endpoints (id, workspace_id, url, secrets) values ('we_told', $1, 'https://hooks.example', '{}')`,
      [workspaceId],
    );
    const run = await makeRun(one, { workspaceId, ...account });
    await kindsNotified();
    await finishTestRun(one, run);
    await until(async () => heardOf().length >= 4);
    const low = { type: 'balance.low' as const, resourceType: 'workspace', resourceId: workspaceId, data: {} };
    await inTransaction(one.pool, (client) => recordEvent({ client }, workspaceId, low));
    await until(async () => heardOf().length >= 6);
    expect(heardOf()).toEqual([...told, ...told, ...told]);
    expect(await kindsNotified()).toEqual([]);
    // Without a transaction nothing waits for a commit: the database tells.
    await recordEvent({ client: one.pool }, workspaceId, low);
    expect(await kindsNotified()).toEqual(['event', 'webhook']);
  });

  test('events of a run reach only who follows it, and none of them takes the lock of NOTIFY', async () => {
    const account = await makeAccount(one);
    const [run, unfollowed] = [await makeRun(one, account), await makeRun(one, account)];
    await kindsNotified();
    const feed = other.runFollows.open({ workspaceId: account.workspaceId, runId: run.id }, { after: 0, reached: 0 });
    await addEvents(one, unfollowed.id, delta('unheard'));
    await addEvents(one, run.id, delta('first'), delta('second'));
    const events = [...(await feed.next())!];
    while (events.length < 2) events.push(...(await feed.next())!);
    expect(events.map(({ sequence }) => sequence)).toEqual([1, 2]);
    feed.close();
    expect(await kindsNotified()).toEqual([]);
    expect(heard.filter((notice) => notice.kind === 'run' && notice.runId !== run.id)).toEqual([]);
  });

  test('a changed key is announced after the commit, and not after a rollback', async () => {
    const { keyId } = await makeAccount(one);
    await kindsNotified();
    const refused = inTransaction(one.pool, async (client) => {
      await sendNotice(client, { kind: 'key', hash: 'rolled back' });
      throw new Error('rolled back');
    });
    await expect(refused).rejects.toThrow('rolled back');
    await revokeKey(one, keyId);
    await hears('key');
    expect(heard.filter(({ kind }) => kind === 'key')).toEqual([
      { kind: 'key', hash: expect.stringMatching(/^[0-9a-f]{64}$/) },
    ]);
    expect(await kindsNotified()).not.toContain('key');
  });

  test('a question about a running call goes to those that spend, and its answer to who asked', async () => {
    const asked: Notice[] = [];
    const stop = one.notices.listen((notice) => asked.push(notice));
    const inquiries = createInquiries({
      pool: one.pool,
      notices: one.notices,
      processId: one.ledger.processId,
      runsProcess: RUNS_PROCESS,
      find: () => undefined,
      withFingerprint: () => [],
      isFollowed: () => false,
      hurry: () => {},
      spends: true,
      onError: (error) => errors.push(error),
    });
    const found = await inquiries.asking.ask({ workspaceId: 'ws_1', requestId: 'req_1' });
    expect(found).toEqual({ requestId: undefined, others: 1, isSure: true });
    await until(async () => asked.some(({ kind }) => kind === 'call-found'));
    stop();
    inquiries.close();
    expect(asked.filter(({ kind }) => kind === 'call-found')).toEqual([
      expect.objectContaining({ by: other.ledger.processId(), requestId: null }),
    ]);
    expect(heard.filter(({ kind }) => kind === 'call-found')).toEqual([]);
    expect(await kindsNotified()).toEqual([]);
  });

  test('without the server, notices go through the database', async () => {
    const { keyId } = await makeAccount(one);
    await kindsNotified();
    await server.stop(5_000);
    // The first message finds out.
    await until(async () => (await one.notices.send(one.pool, { kind: 'reader' })) === undefined);
    await revokeKey(one, keyId);
    await hears('key');
    expect(await kindsNotified()).toContain('key');
    const away = 'notices go through the database: the server of LIMITS_REDIS_URL is away';
    expect(errors).toContainEqual(expect.objectContaining({ message: away, cause: expect.any(Error) }));
  });
});
