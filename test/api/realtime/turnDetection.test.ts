import { afterAll, expect, test } from '@jest/globals';
import { toUpstream } from '../../../api/realtime/passed/passedEvents.ts';
import { setGuardStage } from '../../support/guardStage.ts';
import { socketAt } from '../../support/webSocket.ts';

const path = '/textapi/v1/realtime?model=gpt-realtime';
const NONE = { turn_detection: { type: null } };
const heard = { type: 'realtime', audio: { input: NONE } };

const stage = await setGuardStage();
afterAll(() => stage.close());

test('a turn detection whose type is null is none', async () => {
  const { secret } = await stage.account();
  const socket = await socketAt(stage.url, path, { key: secret });
  socket.send({ type: 'session.update', session: heard });
  expect((await socket.next('session.updated')).session).toMatchObject({ audio: { input: { turn_detection: null } } });
  socket.ws.close();
});

test('so it is by the older names', async () => {
  const { secret } = await stage.account();
  const headers = { 'openai-beta': 'realtime=v1' };
  const socket = await socketAt(stage.url, path, { key: secret, headers });
  socket.send({ type: 'session.update', session: NONE });
  expect((await socket.next('session.updated')).session).toMatchObject({ turn_detection: null });
  socket.ws.close();
});

test('an upstream that takes sessions as they are gets none', () => {
  const sent = toUpstream({ type: 'session.update', session: heard }, () => true);
  expect(sent.session).toEqual({ type: 'realtime', audio: { input: { turn_detection: null } } });
});

test.each([
  ['client_secrets', { session: heard }],
  ['sessions', NONE],
])('a client secret of realtime/%s binds none', async (route, body) => {
  const { secret } = await stage.account();
  const made = await stage.ask(`/textapi/v1/realtime/${route}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secret}` },
    body: JSON.stringify(body),
  });
  const { value, client_secret: older } = (await made.json()) as { value: string; client_secret?: { value: string } };
  const socket = await socketAt(stage.url, path, { key: older?.value ?? value });
  const { session } = await socket.next('session.created');
  expect(session).toMatchObject({ audio: { input: { turn_detection: null } } });
  socket.ws.close();
});
