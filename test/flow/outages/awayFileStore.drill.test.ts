import { afterAll, beforeAll, expect } from '@jest/globals';
import { createHash, randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { OBJECT_BYTES } from '../../../db/files/fileObjects.ts';
import { pruneFiles, pruneObjects } from '../../../db/files/files.ts';
import { createObjectStore, type ObjectStoreFailed } from '../../../db/objects/objectStore.ts';
import { testWhen } from '../../support/needs.ts';
import { textModel } from '../../support/startApi.ts';
import { openTestDatabase } from '../../support/database.ts';
import { startObjectServer, STORE_SECRETS } from '../../support/objectServer.ts';
import { flowSeed, seededRandom } from '../../support/random.ts';
import { collect } from '../../support/streams.ts';
import { until } from '../../support/until.ts';
import { call } from '../../workflows/scenarios.ts';
import { setKillStage, type KillStage } from '../stages/killStage.ts';
import { createCaller, type Caller } from '../stages/runCaller.ts';

const rounds = 3;
const patient = { timeoutMs: 240_000, pollMs: 50 };
const random = seededRandom(flowSeed);
const store = await startObjectServer();
const testStored = testWhen(store, 'a store that speaks S3: Python with pip');
let stage: KillStage;
let caller: Caller;

beforeAll(async () => {
  if (!store) return;
  stage = await setKillStage({ env: { FILES_S3_URL: store.url } });
  caller = createCaller(stage);
});
afterAll(async () => {
  await stage?.close();
  await store?.close();
});

const headers = () => ({ authorization: `Bearer ${stage.account.secret}` });
/** Text of this many bytes. */
const textOf = (bytes: number) => Buffer.from(randomBytes(Math.ceil(bytes / 2)).toString('hex'));
const sha256Of = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

function formOf(bytes: Uint8Array<ArrayBuffer>, purpose = 'agent_input'): FormData {
  const form = new FormData();
  form.append('purpose', purpose);
  form.append('file', new Blob([bytes]), 'a.txt');
  return form;
}

/** Uploads files and reads them until it is stopped. `stored` has the acknowledged files, by id with their hash. */
function startTransfers(clients: number) {
  const stored = new Map<string, string>();
  const told = new Map<string, number>();
  let read = 0;
  const over = new AbortController();

  async function upload(): Promise<void> {
    const bytes = textOf(1 + random() * 3_000_000);
    const { status, code, text } = await caller.post('/v1/files', formOf(bytes));
    if (status === 200) stored.set((JSON.parse(text) as { id: string }).id, sha256Of(bytes));
    else told.set(`${status} ${code}`, (told.get(`${status} ${code}`) ?? 0) + 1);
  }
  async function download(): Promise<void> {
    const known = [...stored.keys()];
    const id = known[Math.floor(random() * known.length)];
    if (id && (await hashOf(id)) === stored.get(id)) read += 1;
  }
  const clientsDone = Array.from({ length: clients }, async () => {
    while (!over.signal.aborted) {
      await upload();
      await download();
    }
  });
  async function stop(): Promise<void> {
    over.abort();
    await Promise.all(clientsDone);
  }
  return { stored, told, read: () => read, stop };
}

/** The hash of a file's bytes; undefined if refused or cut off. */
async function hashOf(id: string): Promise<string | undefined> {
  try {
    const response = await fetch(`${stage.url()}/v1/files/${id}/content`, { headers: headers() });
    const bytes = new Uint8Array(await response.arrayBuffer());
    return response.ok ? sha256Of(bytes) : undefined;
  } catch {
    return undefined;
  }
}

const writing = () => ({
  turns: [
    { toolCalls: [call('write_file', { path: 'a.txt', content: 'a'.repeat(1_000) })], headDelayMs: random() * 2_000 },
    { text: 'Written.' },
  ],
});

async function orderRuns(count: number): Promise<void> {
  const order = () => caller.postPatiently('/v1/runs', caller.orderOf(writing()));
  const ordered = await Promise.all(Array.from({ length: count }, order));
  expect(ordered.map(({ status }) => status)).toEqual(ordered.map(() => 202));
}

/** Orders a batch, whose lines are read from the store and whose results are written to it. */
async function orderBatch(lines: number): Promise<string> {
  const text = JSON.stringify({ scripted: { text: 'Done.', headDelayMs: 100 } });
  const body = { model: textModel, messages: [{ role: 'user', content: text }], max_tokens: 16 };
  const line = (nth: number) =>
    JSON.stringify({ custom_id: `${nth}`, method: 'POST', url: '/v1/chat/completions', body });
  const calls = Buffer.from(Array.from({ length: lines }, (_, nth) => line(nth)).join('\n'));
  const { text: file } = await caller.postPatiently('/v1/files', formOf(calls, 'batch'));
  const order = {
    endpoint: '/v1/chat/completions',
    completion_window: '24h',
    input_file_id: (JSON.parse(file) as { id: string }).id,
  };
  const { status, text: batch } = await caller.postPatiently('/v1/batches', order);
  expect([status, batch]).toEqual([200, expect.any(String)]);
  return (JSON.parse(batch) as { id: string }).id;
}

interface Batch {
  status: string;
  output_file_id: string | null;
  request_counts: { total: number; completed: number; failed: number };
}

async function readBatch(id: string): Promise<Batch> {
  return (await (await fetch(`${stage.url()}/v1/batches/${id}`, { headers: headers() })).json()) as Batch;
}

const countOf = async (sql: string): Promise<number> =>
  (await stage.db.pool.query(`select count(*)::int as count from ${sql}`)).rows[0].count as number;

testStored.each(Array.from({ length: rounds }, (_, round) => round))(
  `a killed store loses nothing acknowledged, and no run fails (seed ${flowSeed}, round %i)`,
  async () => {
    const transfers = startTransfers(4);
    await until(() => transfers.read() > 5, patient);
    const batchId = await orderBatch(40);
    const ordered = orderRuns(10);
    await sleep(random() * 1_500);
    await store!.kill();
    await until(() => (transfers.told.get('503 file_store_unavailable') ?? 0) > 5, patient);
    const waits = `run_events where type = 'run.step.retrying' and data ->> 'code' = 'file_store_unavailable'`;
    await orderRuns(5);
    await until(async () => (await countOf(waits)) > 0, patient);
    await store!.start();
    const readBefore = transfers.read();
    await until(() => transfers.read() > readBefore + 5, patient);
    await transfers.stop();
    await ordered;

    for (const [id, hash] of transfers.stored) expect([id, await hashOf(id)]).toEqual([id, hash]);
    expect([...transfers.told.keys()]).toEqual(['503 file_store_unavailable']);
    await until(async () => (await countOf('runs where settled_at is null')) === 0, patient);
    expect(await countOf(`runs where status <> 'completed'`)).toBe(0);
    const written = await countOf(`run_steps where name = 'write_file' and state = 'completed'`);
    expect(await countOf('session_entries')).toBe(written);
    await until(async () => (await readBatch(batchId)).status === 'completed', patient);
    const batch = await readBatch(batchId);
    expect(batch.request_counts).toEqual({ total: 40, completed: 40, failed: 0 });
    expect(await hashOf(batch.output_file_id!)).toBeDefined();
    expect(stage.crashes()).toEqual([]);
    const logs = stage.programs().flatMap(({ lines }) => lines);
    for (const secret of STORE_SECRETS) expect(logs.join('\n')).not.toContain(secret);
    await stage.expectQuietSoon();
  },
  600_000,
);

testStored(
  'an upload whose API is killed leaves no object after its time',
  async () => {
    const sent = fetch(`${stage.url()}/v1/files`, {
      method: 'POST',
      body: formOf(textOf(OBJECT_BYTES * 8), 'batch'),
      headers: headers(),
    }).catch(() => undefined);
    const hidden = `from file_objects o join files f on f.id = o.file_id where f.deleted_at is not null`;
    const keysOf = async () =>
      (await stage.db.pool.query<{ key: string }>(`select o.key ${hidden}`)).rows.map(({ key }) => key);
    const begun = (await keysOf()).length;
    await until(async () => (await keysOf()).length > begun + 2, { pollMs: 5, timeoutMs: 60_000 });
    await stage.victims.API.kill();
    await sent;
    await stage.victims.API.start();
    const keys = await keysOf();
    expect(keys.length).toBeGreaterThan(2);
    const db = await openTestDatabase({ url: stage.databaseUrl, fileStore: { url: store!.url, takesNew: true } });
    try {
      await db.pool.query('update files set expires_at = now() where deleted_at is not null');
      while ((await pruneObjects(db.everywhere)) + (await pruneFiles(db.everywhere)) > 0);
    } finally {
      await db.close();
    }
    const objects = createObjectStore({ url: store!.url, takesNew: true });
    const isMissing = (key: string) =>
      collect(objects.read(key, { from: 0, to: 1 })).then(
        () => false,
        (error: ObjectStoreFailed) => error.isMissing,
      );
    for (const key of keys) expect(await isMissing(key)).toBe(true);
    expect(await countOf('files where deleted_at is not null')).toBe(0);
    // Each object has its file.
    expect(await countOf('file_objects o where not exists (select from files f where f.id = o.file_id)')).toBe(0);
  },
  240_000,
);
