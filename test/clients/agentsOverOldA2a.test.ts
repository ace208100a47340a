import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { newId } from '../../db/ids.ts';
import { setAgentCallStage, type AgentCallStage } from './agentCallStage.ts';
import { installNodeClients } from './nodeClients.ts';

/** Of version 0.3 of `@a2a-js/sdk`: `any`, because its package is installed by the first run of the test. */
type Sdk = ReturnType<NodeJS.Require>;

let stage: AgentCallStage;
let sdk: Sdk;

beforeAll(async () => {
  sdk = (await installNodeClients('agents'))('a2a-sdk-03/client');
  stage = await setAgentCallStage();
}, 600_000);
afterAll(() => stage?.close());

test('a client of version 0.3 reads the cards, and learns from an error which version to use', async () => {
  for (const path of [`a2a/${stage.poet}/`, '']) {
    const response = await fetch(`${stage.url}/${path}.well-known/agent-card.json`);
    expect(await response.json()).toMatchObject({
      url: `${stage.url}/a2a${path && `/${stage.poet}`}`,
      preferredTransport: 'JSONRPC',
      protocolVersion: '1.0',
      securitySchemes: { bearer: { type: 'http', scheme: 'Bearer' } },
      security: [{ bearer: [] }],
    });
  }
  const fetchImpl: typeof fetch = (url, init) =>
    fetch(url, {
      ...init,
      headers: { ...(init?.headers as object), authorization: `Bearer ${stage.stranger.secret}` },
    });
  const transports = [new sdk.JsonRpcTransportFactory({ fetchImpl })];
  const client = await new sdk.ClientFactory({ transports }).createFromUrl(`${stage.url}/a2a/${stage.poet}/`);
  expect((await client.getAgentCard()).skills.map(({ id }: Sdk) => id)).toEqual([stage.poet]);
  const message = { kind: 'message', messageId: newId('msg'), role: 'user', parts: [{ kind: 'text', text: 'x' }] };
  await expect(client.sendMessage({ message })).rejects.toThrow(/speaks version 1\.0/);
});
