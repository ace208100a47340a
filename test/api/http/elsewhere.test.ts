import { afterAll, expect, test } from '@jest/globals';
import { ELSEWHERE, UNLISTED } from '../../../api/http/elsewhere.ts';
import { setGuardStage, type ErrorBody } from '../../support/guardStage.ts';

const stage = await setGuardStage();
const headers = { 'x-api-key': (await stage.account()).secret };
afterAll(() => stage.close());

test.each([
  ['GET', '/v1/organization/usage', 'organization'],
  ['GET', '/organization/costs', 'organization'],
  ['POST', '/textapi/v1/chatkit/sessions', 'chatkit'],
  ['POST', '/v1/threads/thread_1/runs', 'threads'],
  ['GET', '/v1/containers/cntr_1/files', 'containers'],
  ['GET', '/v1/chat/completions/chatcmpl-1/messages', 'chat/completions/chatcmpl-*'],
  ['POST', '/textapi/v1/responses/compact', 'responses/compact'],
  ['POST', '/v1/responses/resp_1/cancel', 'responses/*/cancel'],
  ['POST', '/v1/images/generations', 'images'],
  ['GET', '/v1/skills', 'skills'],
  ['POST', '/v1/vaults/vault_1/credentials', 'vaults'],
  ['POST', '/v1/live/sessions', 'live/sessions'],
  ['POST', '/v1/agents/agent_1', 'agents/*'],
  ['POST', '/v1/realtime/translations/client_secrets', 'realtime/translations'],
  ['POST', '/v1/decisions', 'decisions'],
  ['POST', '/v1/engines/gpt-4/completions', 'engines'],
  ['POST', '/v1/messages/count_tokens', 'messages'],
  ['GET', '/v1/dashboard/billing/credit_grants', 'dashboard/billing'],
  ['GET', '/v1/credits', 'credits'],
  ['GET', '/voiceapi/v1/convai/agents/a', 'convai'],
  ['POST', '/voiceapi/v1/pronunciation-dictionaries/add-from-rules', 'pronunciation-dictionaries'],
  ['POST', '/voiceapi/v1/voices/pvc', 'voices/pvc'],
  ['POST', '/voiceapi/v1/voices/add/owner_1/voice_1', 'voices/add'],
  ['POST', '/voiceapi/v1/voices/collections', 'voices/collections'],
  ['GET', '/voiceapi/v1/speech-to-text/transcripts/t', 'speech-to-text/transcripts'],
  ['POST', '/voiceapi/v1/speech-engine', 'speech-engine'],
  ['GET', '/voiceapi/v1/flows/video', 'flows'],
  ['POST', '/voiceapi/v1/audio-native', 'audio-native'],
  ['POST', '/voiceapi/v1/productions/orders', 'productions'],
  ['GET', '/voiceapi/v1/service-accounts/a/api-keys', 'service-accounts'],
  ['GET', '/voiceapi/v1/workspace/members', 'workspace/members'],
  ['GET', '/voiceapi/v1/workspace/webhooks', 'workspace/webhooks'],
  ['GET', '/voiceapi/v1/shared-voices', 'shared-voices'],
  ['GET', '/voiceapi/v1/usage/character-stats', 'usage'],
])(
  'the 404 of a resource that OpenAI or ElevenLabs alone has, %s %s, says what exists here',
  async (method, path, name) => {
    const response = await stage.ask(path, { headers, method });
    const { code, message } = ((await response.json()) as ErrorBody).error;
    expect([response.status, code]).toEqual([404, 'unknown_url']);
    expect(message).toBe(`Unknown request URL: ${method} ${path}. ${ELSEWHERE[name]} See /docs for what exists.`);
  },
);

test.each(['chat/completions', 'responses'])('the 405 of a list that OpenAI alone has, %s, says so', async (name) => {
  const response = await stage.ask(`/v1/${name}`, { headers });
  const { code, message } = ((await response.json()) as ErrorBody).error;
  expect([response.status, code]).toEqual([405, 'method_not_allowed']);
  expect(message).toBe(`GET is not allowed here; use POST. ${UNLISTED[name]}`);
  expect((await (await stage.ask(`/v1/${name}`, { headers, method: 'PUT' })).json()) as ErrorBody).toMatchObject({
    error: { message: 'PUT is not allowed here; use POST.' },
  });
});

test('only routes that exist are named in place of others', async () => {
  const { paths } = (await (await stage.ask('/openapi.json')).json()) as { paths: Record<string, object> };
  const named = [ELSEWHERE, UNLISTED]
    .flatMap(Object.values<string>)
    .flatMap((text) => [...text.matchAll(/(GET|POST) (\/[\w/{}-]+)/g)]);
  expect(named.length).toBeGreaterThan(9);
  for (const [, method, path] of named) expect(Object.keys(paths[path!] ?? {})).toContain(method!.toLowerCase());
});
