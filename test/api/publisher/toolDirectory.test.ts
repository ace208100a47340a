import { afterAll, describe, expect, test } from '@jest/globals';
import { pino } from 'pino';
import { disablePlugin, registerPlugin } from '../../../db/plugins/plugins.ts';
import { createSealingKey, parseSealingKeys } from '../../../db/sealing/sealingKeys.ts';
import { openSecretBox } from '../../../db/sealing/secretBox.ts';
import type { Sandbox } from '../../../tools/sandbox/sandbox.ts';
import { AGENT_TOOL_NAMES } from '../../../tools/tool.ts';
import { offerTools } from '../../../worker/openTools.ts';
import { publishAgent } from '../../support/agent.ts';
import { setGuardStage } from '../../support/guardStage.ts';
import { read } from '../../support/http.ts';
import { until } from '../../support/until.ts';
import { startEverythingServer } from '../../tools/everythingServer.ts';
import { setPublishers } from './publisherStage.ts';

interface Listed {
  data: {
    name: string;
    plugin_id: string;
    languages: string[] | null;
    meters: { id: string }[];
    tools: object[] | null;
  }[];
}

const secret = 'Bearer canary-4Kp9xQ';
const pluginKeys = parseSealingKeys(createSealingKey());
const logger = pino({ level: 'silent' });

const guarded = await setGuardStage();
const stage = { ...guarded, ...(await setPublishers(guarded)) };
const server = await startEverythingServer();
const secrets = await openSecretBox(stage.db.everywhere, pluginKeys);
const plugin = { id: 'every', name: 'Everything', headers: { authorization: secret } };
for (const version of ['1.0', '0.9'])
  await registerPlugin(stage.db.everywhere, pluginKeys, { ...plugin, version, url: server.url });
await disablePlugin(stage.db.everywhere, { id: 'every', version: '0.9' });
afterAll(async () => {
  await server.stop();
  await stage.close();
});

const webhookSending = { allowPrivate: false } as const;
const sandboxOf = (languages: Sandbox['languages']) => ({ languages }) as Sandbox;
const listed = (path: string) => read<Listed>(stage.call(`/v1/publisher/${path}`), 200);

describe('what a draft can name', () => {
  test('are the tools of the worker that started last, with the languages of its sandbox', async () => {
    expect((await listed('tools')).data).toEqual([]);
    await offerTools(
      { db: stage.db, pluginKeys, secrets, webhookSending, sandbox: sandboxOf(['javascript', 'python']) },
      logger,
    );
    await offerTools({ db: stage.db, pluginKeys, secrets, webhookSending, sandbox: undefined }, logger);
    const { data } = await listed('tools');
    expect(new Set(data.map(({ name }) => name))).toEqual(AGENT_TOOL_NAMES);
    expect(data.find(({ name }) => name === 'run_code')).toMatchObject({
      kind: 'sandbox',
      languages: ['javascript', 'python'],
      parameters: { type: 'object', required: expect.arrayContaining(['code']) },
      meters: [{ id: 'tool_calls' }, { id: 'sandbox_seconds', unit: 'second', platform_cost_usd: 0.00005 }],
    });
    expect(data.find(({ name }) => name === 'ask_user')).toMatchObject({ kind: 'tool', languages: null });
    await offerTools({ db: stage.db, pluginKeys, secrets, webhookSending, sandbox: sandboxOf(['javascript']) }, logger);
    expect((await listed('tools')).data.find(({ name }) => name === 'run_code')!.languages).toEqual(['javascript']);
  });

  test('are the plugins that are on, with their tools and without their credentials', async () => {
    await until(async () => (await listed('plugins')).data[0]!.tools !== null);
    const { data } = await listed('plugins');
    expect(data).toMatchObject([{ plugin_id: 'every', version: '1.0', name: 'Everything' }]);
    expect(data[0]!.tools).toContainEqual(
      expect.objectContaining({ name: 'every__get-sum', parameters: expect.objectContaining({ type: 'object' }) }),
    );
    expect(JSON.stringify(data)).not.toContain('canary');
    expect(JSON.stringify(data)).not.toContain(server.url);
  });
});

describe('the icon of an agent', () => {
  const png = Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01', 'latin1'),
    Buffer.alloc(100),
  ]);
  const load = (agent: string, headers: Record<string, string> = {}) =>
    fetch(`${stage.url}/v1/agents/${agent}/icon`, { headers });

  test('is an image for every page, and nothing else', async () => {
    const owner = { workspaceId: stage.publisher.workspaceId };
    await stage.db.pool.query(
      `insert into namespaces (name, workspace_id, provider_name) values ('test', $1, 'Test') on conflict do nothing`,
      [owner.workspaceId],
    );
    const form = new FormData();
    form.append('file', new Blob([png]), 'icon.png');
    form.append('purpose', 'agent_icon');
    const headers = { authorization: `Bearer ${stage.publisher.secret}` };
    const uploaded = await fetch(`${stage.url}/v1/files`, { method: 'POST', body: form, headers });
    const { id: icon_file_id } = (await uploaded.json()) as { id: string };
    const agent = await publishAgent(stage.db, { icon_file_id }, owner);

    const { icon_url } = await read<{ icon_url: string }>(stage.call(`/v1/agents/${agent}`), 200);
    expect(icon_url).toMatch(new RegExp(`/v1/agents/${agent}/icon$`));
    const answer = await load(agent);
    expect(Buffer.from(await answer.arrayBuffer())).toEqual(png);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'image/png',
      'content-security-policy': "sandbox; default-src 'none'",
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'cross-origin',
      'cache-control': 'public, max-age=300',
    });
    expect((await load(agent, { 'if-none-match': answer.headers.get('etag')! })).status).toBe(304);
    const card = await read<{ iconUrl: string }>(stage.call(`/v1/agents/${agent}/card`), 200);
    expect(card.iconUrl).toBe(icon_url);
  });

  test('is not there for an agent without one, for other files, and for agents that are not public', async () => {
    const owner = { workspaceId: stage.publisher.workspaceId };
    const form = new FormData();
    form.append('file', new Blob(['secret']), 'secret.txt');
    form.append('purpose', 'agent_input');
    const headers = { authorization: `Bearer ${stage.publisher.secret}` };
    const uploaded = await fetch(`${stage.url}/v1/files`, { method: 'POST', body: form, headers });
    const { id: icon_file_id } = (await uploaded.json()) as { id: string };
    const agents = [
      await publishAgent(stage.db, {}, owner),
      await publishAgent(stage.db, { icon_file_id }, owner),
      await publishAgent(stage.db, { icon_file_id: 'file_none' }, owner),
      await publishAgent(stage.db, { icon_file_id }, { ...owner, visibility: 'private' }),
    ];
    for (const agent of agents) expect((await load(agent)).status).toBe(404);
  });
});
