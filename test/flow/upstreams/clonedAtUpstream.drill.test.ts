import { afterAll, beforeEach, expect, test } from '@jest/globals';
import { wavHeader } from '../../../base/wavHeader.ts';
import { read } from '../../support/http.ts';
import { until } from '../../support/until.ts';
import { conversion, formOf, setAudioStage } from '../stages/audioStage.ts';
import type { Account } from '../stages/moneyStage.ts';

const sampleRate = 16_000;
const samples = Buffer.concat([wavHeader({ sampleRate, sampleCount: sampleRate }), Buffer.alloc(2 * sampleRate, 1)]);
const voices = '/voiceapi/v1/voices';

let mine: Account;
const stage = await setAudioStage({ apis: 1 });
afterAll(() => stage.close());
beforeEach(async () => {
  mine = await stage.account();
  stage.voice.setScript({});
});

function call(path: string, { method, body }: { method: string; body?: FormData | string }): Promise<Response> {
  const headers = {
    'xi-api-key': mine.secret,
    ...(typeof body === 'string' && { 'content-type': 'application/json' }),
  };
  return fetch(stage.urls()[0]! + path, { method, headers, body });
}

function send(path: string, fields: Record<string, string>, files: string[] = []): Promise<Response> {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  for (const name of files) form.append('files', new Blob([samples]), name);
  return call(path, { method: 'POST', body: form });
}

const add = () => send(`${voices}/add`, { name: 'Mine' }, ['a.wav']);
const added = async () => (await read<{ voice_id: string }>(await add())).voice_id;
const speak = (id: string) =>
  call(`/voiceapi/v1/text-to-speech/${id}?output_format=pcm_24000`, { method: 'POST', body: '{"text":"Hello."}' });

/** The number of voices of the workspace, and of stored samples. */
async function kept() {
  const { rows } = await stage.db.pool.query(
    `select (select count(*)::int from voices where workspace_id = $1 and deleted_at is null) as voices,
       (select count(*)::int from files where workspace_id = $1 and purpose = 'voice_sample' and deleted_at is null) as samples`,
    [mine.workspaceId],
  );
  return rows[0] as { voices: number; samples: number };
}

interface Refusal {
  error: { code: string; message: string };
}

test("a cloned voice is created, used, changed and deleted at the upstream by the upstream's id", async () => {
  const said = { name: 'Mine', description: 'Low.', labels: '{"accent":"odd"}', remove_background_noise: 'true' };
  const { voice_id: id } = await read<{ voice_id: string }>(await send(`${voices}/add`, said, ['a.wav', 'b.wav']));
  await (await speak(id)).arrayBuffer();
  const path = conversion.path.replace('alloy', id);
  const converted = await call(path, { method: 'POST', body: formOf(conversion, 1) });
  expect((await converted.arrayBuffer()).byteLength).toBeGreaterThan(0);
  await read(await send(`${voices}/${id}/edit`, { description: 'Lower.' }, ['c.wav']));
  await read(await call(`${voices}/${id}`, { method: 'DELETE' }));
  const file = (name: string) => ({ name, bytes: samples.length });
  expect(stage.voice.calls().map(({ kind, voice, fields, files }) => ({ kind, voice, fields, files }))).toEqual([
    { kind: 'addVoice', voice: 'add', fields: said, files: [file('a.wav'), file('b.wav')] },
    { kind: 'speak', voice: 'voice%2Fup', fields: {}, files: [] },
    { kind: 'convert', voice: 'voice%2Fup', fields: {}, files: [] },
    { kind: 'editVoice', voice: 'voice%2Fup', fields: { name: 'Mine', description: 'Lower.' }, files: [file('c.wav')] },
    { kind: 'removeVoice', voice: 'voice%2Fup', fields: {}, files: [] },
  ]);
  expect((await speak(id)).status).toBe(404);
  expect(await kept()).toEqual({ voices: 0, samples: 0 });
});

test.each([
  [400, 'bad_samples', 400],
  [422, 'bad_samples', 400],
  [400, 'voice_limit_reached', 502],
  [401, 'invalid_api_key', 503],
  [500, 'broken', 502],
])(
  'when the upstream answers %d %s no voice is stored and the caller gets %d',
  async (status, code, expectedStatus) => {
    stage.voice.setScript({ status, code });
    const { error } = await read<Refusal>(await add(), expectedStatus);
    if (expectedStatus < 500) expect(error.message).toContain(`It is ${code}.`);
    else expect(error.message).not.toContain(code);
    expect(await kept()).toEqual({ voices: 0, samples: 0 });
  },
);

test.each([
  ['without balance', { balanceNanos: 0n }, 'insufficient_balance'],
  ['past its ceiling', { spendLimitNanos: 0n, spendLimitPeriod: 'daily' as const }, 'key_spend_limit_reached'],
])('a key %s can neither create nor change a voice, and the upstream is not called', async (_, options, code) => {
  const id = await added();
  stage.voice.setScript({});
  const funded = mine;
  const poor = await stage.account(options);
  mine = { ...funded, secret: poor.secret };
  expect((await read<Refusal>(await add(), 402)).error.code).toBe(code);
  await stage.db.pool.query('update voices set workspace_id = $1 where id = $2', [poor.workspaceId, id]);
  expect((await read<Refusal>(await send(`${voices}/${id}/edit`, { name: 'Other' }), 402)).error.code).toBe(code);
  expect(stage.voice.calls()).toEqual([]);
});

test('a change that the upstream refuses changes nothing', async () => {
  const id = await added();
  stage.voice.setScript({ status: 400, code: 'bad_samples' });
  await read(await send(`${voices}/${id}/edit`, { name: 'Other' }, ['b.wav']), 400);
  expect(await read(await call(`${voices}/${id}`, { method: 'GET' }))).toMatchObject({ name: 'Mine' });
  expect(await kept()).toEqual({ voices: 1, samples: 1 });
});

test('a voice can be deleted when the upstream has lost it, but not while the upstream fails', async () => {
  const id = await added();
  stage.voice.setScript({ status: 500 });
  await read(await call(`${voices}/${id}`, { method: 'DELETE' }), 502);
  expect((await kept()).voices).toBe(1);
  stage.voice.setScript({ status: 404, code: 'voice_not_found' });
  await read(await call(`${voices}/${id}`, { method: 'DELETE' }));
  expect(await kept()).toEqual({ voices: 0, samples: 0 });
});

test('a sample that is added while its voice is deleted is deleted with it', async () => {
  const id = await added();
  let remove = () => {};
  const after = new Promise<void>((resolve) => (remove = resolve));
  stage.voice.setScript(({ kind }) => (kind === 'removeVoice' ? { after } : {}));
  const deleting = call(`${voices}/${id}`, { method: 'DELETE' });
  await until(() => stage.voice.calls().length === 1);
  await read(await send(`${voices}/${id}/edit`, {}, ['b.wav']));
  remove();
  await read(await deleting);
  expect(await kept()).toEqual({ voices: 0, samples: 0 });
});

test('a voice above the limit is deleted again at the upstream', async () => {
  let make = () => {};
  stage.voice.setScript({ after: new Promise<void>((resolve) => (make = resolve)) });
  const adding = add();
  await until(() => stage.voice.calls().length === 1);
  await stage.db.pool.query(
    `insert into voices (id, workspace_id, name, measure) select $1 || n, $1, 'Voice', '{}' from generate_series(1, 500) n`,
    [mine.workspaceId],
  );
  make();
  expect((await read<Refusal>(await adding, 400)).error.code).toBe('voice_limit_reached');
  expect(stage.voice.calls().map(({ kind }) => kind)).toEqual(['addVoice', 'removeVoice']);
  expect(await kept()).toEqual({ voices: 500, samples: 0 });
});

test('a voice without an upstream id is refused with a clear message, and can be changed and deleted', async () => {
  await stage.db.pool.query(
    `insert into voices (id, workspace_id, name, measure) values ($1, $2, 'Old', '{"pitchHz":120,"brightnessHz":900}')`,
    [`old_${mine.workspaceId}`, mine.workspaceId],
  );
  const id = `old_${mine.workspaceId}`;
  const { error } = await read<Refusal>(await speak(id), 400);
  expect(error.message).toContain('This voice was cloned before its model could speak like it. Add it again.');
  await read(await send(`${voices}/${id}/edit`, { name: 'Older' }));
  await read(await call(`${voices}/${id}`, { method: 'DELETE' }));
  expect(stage.voice.calls()).toEqual([]);
});
