import { once } from 'node:events';
import { afterAll, expect, test } from '@jest/globals';
import { read, setVoiceStage } from './voiceStage.ts';

const addPath = '/voiceapi/v1/voices/add';
const reached = 'You have reached your maximum amount of custom voices (500 / 500). Remove one to add another.';

const stage = await setVoiceStage();
const samples = await stage.sound();
afterAll(() => stage.close());

/** A workspace with this many cloned voices. */
async function workspaceWith(voices: number) {
  const account = await stage.account();
  await stage.asOwner(
    `insert into voices (id, workspace_id, name, measure) select $1 || n, $1, 'Voice ' || n, '{}' from generate_series(1, $2::int) n`,
    [account.workspaceId, voices],
  );
  return account;
}

const slotsOf = async (key: string) => {
  const { voice_slots_used: used, voice_limit: limit } = await read<{ voice_slots_used: number; voice_limit: number }>(
    await stage.call('/voiceapi/v1/user/subscription', { key }),
  );
  return { used, limit };
};

const samplesOf = async (workspaceId: string) => {
  const { rows } = await stage.db.pool.query<{ id: string }>(
    "select id from files where workspace_id = $1 and purpose = 'voice_sample' and deleted_at is null",
    [workspaceId],
  );
  return rows.map(({ id }) => id).toSorted();
};

test("a voice above the limit is refused in the vendor's words until one is removed", async () => {
  const { secret, workspaceId } = await workspaceWith(500);
  const add = () => stage.send(addPath, { name: 'One more', files: samples }, secret);
  expect(await read(await add(), 400)).toEqual({
    error: { message: reached, type: 'invalid_request_error', param: null, code: 'voice_limit_reached' },
    detail: { status: 'voice_limit_reached', message: reached },
  });
  expect(await slotsOf(secret)).toEqual({ used: 500, limit: 500 });
  expect(await samplesOf(workspaceId)).toEqual([]);
  await read(await stage.call(`/voiceapi/v1/voices/${workspaceId}1`, { key: secret, method: 'DELETE' }));
  await read(await add());
  expect(await slotsOf(secret)).toEqual({ used: 500, limit: 500 });
});

test('of many concurrent new voices only the permitted number is stored, and the others leave no files', async () => {
  const { secret, workspaceId } = await workspaceWith(497);
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, at) => stage.send(addPath, { name: `Racer ${at}`, files: samples }, secret)),
  );
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(3);
  expect(answers.filter(({ status }) => status === 400)).toHaveLength(7);
  expect((await slotsOf(secret)).used).toBe(500);
  expect(await samplesOf(workspaceId)).toHaveLength(3);
});

test('concurrent edits keep the samples of each', async () => {
  const { secret, workspaceId } = await stage.account();
  const { voice_id: id } = await read<{ voice_id: string }>(
    await stage.send(addPath, { name: 'Mine', files: samples }, secret),
  );
  const edit = () => stage.send(`/voiceapi/v1/voices/${id}/edit`, { files: samples }, secret);
  const answers = await Promise.all(Array.from({ length: 5 }, edit));
  expect(answers.map(({ status }) => status)).toEqual(Array(5).fill(200));
  const { rows } = await stage.db.pool.query('select samples from voices where id = $1', [id]);
  const named = (rows[0].samples as { file_id: string }[]).map(({ file_id: file }) => file);
  expect(named.toSorted()).toEqual(await samplesOf(workspaceId));
  expect(named).toHaveLength(6);
});

test('a voice has 25 samples at most, however they are added, and concurrent edits pass that neither', async () => {
  const { secret, workspaceId } = await stage.account();
  const { voice_id: id } = await read<{ voice_id: string }>(
    await stage.send(addPath, { name: 'Mine', files: samples }, secret),
  );
  const sample = `(select samples -> 0 from voices where id = $1)`;
  await stage.asOwner(
    `update voices set samples = (select jsonb_agg(${sample}) from generate_series(1, 23)) where id = $1`,
    [id],
  );
  const edit = () => stage.send(`/voiceapi/v1/voices/${id}/edit`, { files: samples }, secret);
  const answers = await Promise.all(Array.from({ length: 5 }, edit));
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 200, 422, 422, 422]);
  expect(await read(await edit(), 422)).toMatchObject({ error: { param: 'files' } });
  expect(await samplesOf(workspaceId)).toHaveLength(3);
  await read(await stage.send(`/voiceapi/v1/voices/${id}/edit`, { name: 'Renamed' }, secret));
});

test('of many concurrent samples a nearly full workspace stores those that fit, and nothing of the others', async () => {
  const { secret, workspaceId } = await stage.account();
  await stage.asOwner(
    `insert into files (id, workspace_id, purpose, filename, media_type, size_bytes, sha256)
     values ('file_nearly', $1, 'user_data', 'f', 'text/plain', 21474836480 - $2::bigint, '')`,
    [workspaceId, 2 * samples.length - 1],
  );
  const answers = await Promise.all(
    Array.from({ length: 6 }, (_, at) => stage.send(addPath, { name: `Racer ${at}`, files: samples }, secret)),
  );
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 413, 413, 413, 413, 413]);
  expect(await samplesOf(workspaceId)).toHaveLength(1);
  const { rows } = await stage.db.pool.query('select count(*)::int as files from files where workspace_id = $1', [
    workspaceId,
  ]);
  expect(rows).toEqual([{ files: 2 }]);
});

test('a limit has the code of the platform, and the name that the vendor has for it', async () => {
  const refusal = async (key: string, status: number) =>
    read<{ error: { code: string }; detail: { status: string } }>(await stage.speak('alloy', {}, key), status);
  const one = await stage.account({ concurrencyLimit: 1, balanceNanos: stage.creditNanos });
  const socket = new WebSocket(
    `${stage.api.url.replace('http', 'ws')}/voiceapi/v1/text-to-speech/alloy/stream-input`,
    `textapi-insecure-api-key.${one.secret}`,
  );
  await once(socket, 'open');
  expect(await refusal(one.secret, 429)).toMatchObject({
    error: { code: 'concurrency_limit_exceeded' },
    detail: { status: 'too_many_concurrent_requests' },
  });
  socket.close();
  const poor = await stage.account({ balanceNanos: 1n });
  expect(await refusal(poor.secret, 402)).toMatchObject({
    error: { code: 'insufficient_balance' },
    detail: { status: 'quota_exceeded' },
  });
});
