import { afterAll, describe, expect, test } from '@jest/globals';
import { revokeKey } from '../../../db/keys/keyStore.ts';
import { codeOf, setGuardStage, type ErrorBody } from '../../support/guardStage.ts';
import { until } from '../../support/until.ts';
import { openWebSocket, refusalAt, socketAt } from '../../support/webSocket.ts';

const path = '/textapi/v1/realtime';
const stage = await setGuardStage();
afterAll(() => stage.close());

interface Made {
  value: string;
  expires_at: number;
  session: Record<string, unknown>;
}

const order = ({ secret }: { secret: string }, body?: object, at = 'client_secrets') =>
  stage.ask(`${path}/${at}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secret}` },
    body: body && JSON.stringify(body),
  });

async function make(account: { secret: string }, body?: object): Promise<Made> {
  const response = await order(account, body);
  expect(response.status).toBe(200);
  return (await response.json()) as Made;
}

/** The status and code with which a socket is refused; `open` where it opens. */
async function outcomeOf(secret: string, at = path): Promise<[number, string]> {
  const socket = await openWebSocket(stage.url, at, { key: secret });
  if (!('ws' in socket)) return [socket.status, socket.body.error.code];
  socket.ws.close();
  await socket.closed;
  return [101, 'open'];
}

const rowOf = async (secret: string) => {
  const sql = `select * from client_secrets where hash = sha256(convert_to($1, 'UTF8'))`;
  return (await stage.db.pool.query(sql, [secret])).rows[0] as { id: string; sessions: number; spent_nanos: string };
};

describe('a client secret', () => {
  test('without a body is for a realtime session, for ten minutes', async () => {
    const account = await stage.account();
    const beforeSeconds = Math.floor(Date.now() / 1000);
    const { value, expires_at: expiresAt, session } = await make(account);
    const afterSeconds = Math.ceil(Date.now() / 1000);
    expect(value).toMatch(/^ek_[0-9A-Za-z]{43}$/);
    // Ten minutes after the request, whose length does not matter.
    expect(expiresAt).toBeGreaterThanOrEqual(beforeSeconds + 600);
    expect(expiresAt).toBeLessThanOrEqual(afterSeconds + 600);
    expect(session).toMatchObject({
      id: expect.stringMatching(/^sess_/),
      object: 'realtime.session',
      type: 'realtime',
      model: 'ledgerline-realtime-1',
    });
  });

  test.each(['header', 'subprotocol'])('opens a socket with its session, sent in a %s', async (place) => {
    const session = { type: 'realtime', instructions: 'Speak Latin.', audio: { output: { voice: 'echo' } } };
    const { value } = await make(await stage.account(), { session });
    const carried =
      place === 'header' ? { key: value } : { protocols: ['realtime', `openai-insecure-api-key.${value}`] };
    const socket = await socketAt(stage.url, path, carried);
    const created = await socket.next('session.created');
    expect(created.session).toMatchObject({ instructions: 'Speak Latin.', audio: { output: { voice: 'echo' } } });
    socket.ws.close();
  });

  test('binds the session: what it names stays, whatever the client updates, and the rest may change', async () => {
    const session = { type: 'realtime', instructions: 'Speak Latin.' };
    const { value } = await make(await stage.account(), { session });
    const socket = await socketAt(stage.url, path, { key: value });
    const update = { type: 'realtime', instructions: 'Speak Greek.', output_modalities: ['text'] };
    socket.send({ type: 'session.update', session: update });
    const { session: updated } = await socket.next('session.updated');
    expect(updated).toMatchObject({ instructions: 'Speak Latin.', output_modalities: ['text'] });
    socket.ws.close();
  });

  test('binds responses as it binds their session', async () => {
    const session = { type: 'realtime', output_modalities: ['text'], max_output_tokens: 7 };
    const { value } = await make(await stage.account(), { session });
    const socket = await socketAt(stage.url, path, { key: value });
    const free = { output_modalities: ['audio'], max_output_tokens: 'inf', metadata: { mine: '1' } };
    socket.send({ type: 'response.create', response: free });
    const { response } = await socket.next('response.created');
    expect(response).toMatchObject({ output_modalities: ['text'], max_output_tokens: 7, metadata: { mine: '1' } });
    socket.ws.close();
  });

  test('ends its sessions after max_session_seconds', async () => {
    const { value } = await make(await stage.account(), { max_session_seconds: 10 });
    await stage.db.pool.query('update client_secrets set max_session_seconds = 1 where id = $1', [
      (await rowOf(value)).id,
    ]);
    const socket = await socketAt(stage.url, path, { key: value });
    expect((await socket.next('error')).error).toMatchObject({ code: 'session_expired' });
    expect(await socket.closed).toMatchObject({ code: 1000 });
  });

  test('counts what its sessions cost, and ends them with 1008 at its spend limit', async () => {
    // For one answer, and the beginning of another one.
    const { value } = await make(await stage.account(), { spend_limit_usd: 0.0001 });
    const socket = await socketAt(stage.url, path, { key: value });
    socket.send({
      type: 'conversation.item.create',
      item: { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Hello there.' }] },
    });
    const respond = () => socket.send({ type: 'response.create', response: { output_modalities: ['text'] } });
    respond();
    await socket.next('response.done');
    await until(async () => BigInt((await rowOf(value)).spent_nanos) > 0n);
    respond();
    expect((await socket.next('error')).error).toMatchObject({ code: 'client_secret_spend_limit_reached' });
    expect(await socket.closed).toMatchObject({ code: 1008 });
  });

  test('may be for a transcription session', async () => {
    const { value, session } = await make(await stage.account(), { session: { type: 'transcription' } });
    const socket = await socketAt(stage.url, path, { key: value });
    const shown = { object: 'realtime.transcription_session', type: 'transcription' };
    expect([session, (await socket.next('session.created')).session]).toMatchObject([shown, shown]);
    socket.ws.close();
  });

  test('is stored as a hash alone', async () => {
    const { value } = await make(await stage.account());
    const { rows } = await stage.db.pool.query('select c::text as text from client_secrets c');
    expect(rows.length).toBeGreaterThan(0);
    for (const { text } of rows) expect(text).not.toContain(value.slice(3));
    expect(stage.api.lines.join()).not.toContain(value.slice(3));
    expect(await rowOf(value)).toBeDefined();
  });
});

describe('a client secret is refused', () => {
  test.each([
    ['GET', '/v1/models'],
    ['POST', '/v1/chat/completions'],
    ['GET', '/platform/v1/key'],
    ['POST', `${path}/client_secrets`],
    ['POST', '/console/v1/keys'],
  ])('by %s %s with 401', async (method, at) => {
    const { value } = await make(await stage.account({ scopes: ['llm', 'voice', 'manage'] }));
    const headers = { authorization: `Bearer ${value}` };
    const response = await stage.ask(at, { method, headers, ...(method === 'POST' && { body: '{}' }) });
    expect([response.status, await codeOf(response)]).toEqual([401, 'invalid_api_key']);
  });

  test('when it is unknown, or has expired', async () => {
    const { value } = await make(await stage.account());
    expect(await outcomeOf(value)).toEqual([101, 'open']);
    await stage.db.pool.query('update client_secrets set expires_at = now() where id = $1', [(await rowOf(value)).id]);
    expect(await outcomeOf(value)).toEqual([401, 'client_secret_expired']);
    expect(await outcomeOf('ek_unknown')).toEqual([401, 'invalid_api_key']);
  });

  test('when it has opened as many sessions as it may: exactly so many of a race', async () => {
    const { value } = await make(await stage.account(), { max_sessions: 3 });
    const outcomes = await Promise.all(Array.from({ length: 12 }, () => outcomeOf(value)));
    expect(outcomes.filter(([status]) => status === 101)).toHaveLength(3);
    expect(new Set(outcomes.map(([, code]) => code))).toEqual(new Set(['open', 'client_secret_used_up']));
    expect((await rowOf(value)).sessions).toBe(3);
  });

  test('when its sessions have cost what they may', async () => {
    const { value } = await make(await stage.account(), { spend_limit_usd: 0.002 });
    const { id } = await rowOf(value);
    const spent = (nanos: number) =>
      stage.db.pool.query('update client_secrets set spent_nanos = $2 where id = $1', [id, nanos]);
    await spent(1_999_999);
    expect(await outcomeOf(value)).toEqual([101, 'open']);
    await spent(2_000_000);
    expect(await outcomeOf(value)).toEqual([402, 'client_secret_spend_limit_reached']);
  });

  test('when the key behind it is revoked, which ends open sessions too', async () => {
    const account = await stage.account();
    const { value } = await make(account);
    const socket = await socketAt(stage.url, path, { key: value });
    await socket.next('session.created');
    await revokeKey(stage.db, account.keyId);
    expect(await socket.closed).toMatchObject({ code: 1008 });
    expect(await outcomeOf(value)).toEqual([401, 'invalid_api_key']);
  });

  test('from an address that the key does not allow, without its scope, and without balance', async () => {
    const account = await stage.account();
    const { value } = await make(account);
    const set = (text: string) => stage.db.pool.query(`update api_keys set ${text} where id = $1`, [account.keyId]);
    await set(`allowed_ips = '{192.0.2.0/24}'`);
    expect(await outcomeOf(value)).toEqual([403, 'ip_not_allowed']);
    await set(`allowed_ips = null, scopes = '{llm}'`);
    expect(await outcomeOf(value)).toEqual([403, 'scope_not_allowed']);
    const poor = await make(await stage.account({ creditUsd: '0' }), { max_sessions: 1 });
    const { status, body } = await refusalAt(stage.url, path, { key: poor.value });
    expect([status, body.error.code]).toEqual([402, 'insufficient_balance']);
    expect((await rowOf(poor.value)).sessions).toBe(0);
  });

  test('for another model than its own', async () => {
    const { value } = await make(await stage.account());
    expect(await outcomeOf(value, `${path}?model=gpt-realtime`)).toEqual([101, 'open']);
    expect(await outcomeOf(value, `${path}?model=gpt-x`)).toEqual([404, 'model_not_found']);
  });
});

describe('an order', () => {
  const heard = (input: object) => ({ session: { type: 'realtime', audio: { input } } });
  test.each([
    [{ expires_after: { seconds: 9 } }, 'expires_after.seconds'],
    [{ expires_after: { seconds: 7201 } }, 'expires_after.seconds'],
    [{ expires_after: { anchor: 'now', seconds: 10 } }, 'expires_after.anchor'],
    [{ max_session_seconds: 3601 }, 'max_session_seconds'],
    [{ max_session_seconds: 9 }, 'max_session_seconds'],
    [{ spend_limit_usd: 0 }, 'spend_limit_usd'],
    [{ spend_limit_usd: -1 }, 'spend_limit_usd'],
    [{ max_sessions: 0 }, 'max_sessions'],
    [{ session: { type: 'chat' } }, 'session.type'],
    [{ session: { type: 'realtime', speed: 2 } }, 'session.speed'],
    [{ session: { type: 'realtime', instructions: 'No\0' } }, 'session.instructions'],
    [{ session: { type: 'realtime', tools: [{ name: 'f', description: '\ud83d' }] } }, 'session.tools[0].description'],
    [heard({ turn_detection: { type: 'semantic_vad' } }), 'session.audio.input.turn_detection.type'],
    [heard({ transcription: { language: 'de' } }), 'session.audio.input.transcription.language'],
    [{ session: { type: 'realtime', audio: { output: { voice: 'nobody' } } } }, 'session.audio.output.voice'],
    [{ colour: 'red' }, 'colour'],
  ])('of %j is refused with 400 and names %s', async (body, param) => {
    const response = await order(await stage.account(), body);
    expect(response.status).toBe(400);
    expect(((await response.json()) as ErrorBody).error.param).toBe(param);
  });

  test('needs the scope voice, and a model that there is', async () => {
    expect(await codeOf(await order(await stage.account({ scopes: ['llm'] })))).toBe('scope_not_allowed');
    const body = { session: { type: 'realtime', model: 'gpt-x' } };
    expect(await codeOf(await order(await stage.account(), body))).toBe('model_not_found');
  });

  test('of the bounds keeps them', async () => {
    const body = { max_session_seconds: 60, spend_limit_usd: 0.25, max_sessions: 2, expires_after: { seconds: 10 } };
    const { value, expires_at: expiresAt } = await make(await stage.account(), body);
    expect(expiresAt - Date.now() / 1000).toBeLessThan(12);
    expect(await rowOf(value)).toMatchObject({
      max_session_seconds: 60,
      spend_limit_nanos: '250000000',
      sessions_max: 2,
    });
  });
});

describe('the older route', () => {
  test('answers with the secret in the session, by the older names', async () => {
    const body = {
      model: 'gpt-4o-realtime-preview',
      modalities: ['text', 'audio'],
      voice: 'echo',
      instructions: 'Be brief.',
      input_audio_format: 'pcm16',
      turn_detection: null,
      temperature: 0.8,
      max_response_output_tokens: 100,
    };
    const response = await order(await stage.account(), body, 'sessions');
    expect(response.status).toBe(200);
    const made = (await response.json()) as Record<string, unknown> & { client_secret: { value: string } };
    expect(made).toMatchObject({
      object: 'realtime.session',
      model: 'gpt-4o-realtime-preview',
      voice: 'echo',
      modalities: ['audio', 'text'],
      max_response_output_tokens: 100,
      client_secret: { value: expect.stringMatching(/^ek_/), expires_at: expect.any(Number) },
    });
    const socket = await socketAt(stage.url, path, { key: made.client_secret.value });
    expect((await socket.next('session.created')).session).toMatchObject({
      model: 'gpt-4o-realtime-preview',
      instructions: 'Be brief.',
    });
    socket.ws.close();
  });

  test.each([
    [{ input_audio_format: 'g711_ulaw' }, 'input_audio_format'],
    [{ turn_detection: { type: 'semantic_vad' } }, 'turn_detection.type'],
    [{ voice: 7 }, 'voice'],
    [{ voice: 'nobody' }, 'voice'],
    [{ max_response_output_tokens: 0 }, 'max_response_output_tokens'],
    [{ temperature: 3 }, 'temperature'],
  ])('refuses %j and names %s', async (body, param) => {
    const response = await order(await stage.account(), body, 'sessions');
    expect([response.status, ((await response.json()) as ErrorBody).error.param]).toEqual([400, param]);
  });
});
