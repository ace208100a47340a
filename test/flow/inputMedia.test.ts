import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { seedAgents } from '../../db/agents/houseAgents.ts';
import type { RunObject } from '../../db/runs/runObject.ts';
import type { Json } from '../../providers/provider.ts';
import { makeAccount } from '../support/account.ts';
import { makeFolder, type TestFolder } from '../support/folder.ts';
import { ask } from '../support/guardStage.ts';
import { setSandboxedRunStage, type RunStage } from '../support/runStage.ts';
import { startApi, type RunningApi } from '../support/startApi.ts';

const MIB = 1024 * 1024;
const image = Buffer.concat([Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'), Buffer.from('an image')]);
const sound = Buffer.concat([Buffer.from('RIFF\0\0\0\0WAVEfmt '), Buffer.from('a sound')]);

let stage: RunStage;
let folder: TestFolder;
let api: RunningApi;
let account: Awaited<ReturnType<typeof makeAccount>>;

// The agents' model of this installation accepts images and audio.
beforeAll(async () => {
  stage = await setSandboxedRunStage();
  await seedAgents(stage.db.everywhere);
  account = await makeAccount(stage.db);
  folder = await makeFolder();
  const catalogFile = join(folder.path, 'catalog.json');
  const { rates: _, ...model } = stage.model;
  const models = [{ ...model, usdPerMillion: { input_tokens: 0.3, output_tokens: 2.5 } }];
  await writeFile(catalogFile, JSON.stringify({ upstreams: { main: { baseUrl: stage.upstream.url } }, models }));
  api = await startApi({
    databaseUrl: stage.databaseUrl,
    upstreamUrl: stage.upstream.url,
    env: { TEMPORAL_ADDRESS: stage.temporal.address, MODEL_CATALOG_FILE: catalogFile },
  });
}, 600_000);

afterAll(async () => {
  await api?.stop();
  await stage?.close();
  await folder?.remove();
});

const headers = () => ({ authorization: `Bearer ${account.secret}` });

async function upload(bytes: Buffer<ArrayBuffer>, filename: string): Promise<string> {
  const body = new FormData();
  body.append('file', new Blob([bytes]), filename);
  body.append('purpose', 'agent_input');
  const response = await fetch(`${api.url}/v1/files`, { method: 'POST', headers: headers(), body });
  return ((await response.json()) as { id: string }).id;
}

const order = (fileIds: string[], wait = 30) =>
  ask(api.url, '/v1/runs', {
    headers: { ...headers(), prefer: `wait=${wait}` },
    body: JSON.stringify({
      agent: 'ledgerline/writer',
      input: [
        { type: 'input_text', text: 'What is this?' },
        ...fileIds.map((file_id) => ({ type: 'input_file', file_id })),
      ],
    }),
  });

test("a multimodal model gets the input's images and audio; the workflow history contains none of their bytes", async () => {
  const fileIds = [await upload(image, 'dot.png'), await upload(sound, 'beep.wav')];
  const run = (await (await order(fileIds)).json()) as RunObject;
  expect(run).toMatchObject({ status: 'completed' });
  const messages = stage.upstream.calls().at(-1)!.body.messages as Json[];
  expect(messages.at(-1)).toEqual({
    role: 'user',
    content: [
      { type: 'text', text: 'What is this?\n\n[File: dot.png]\n\n[File: beep.wav]' },
      { type: 'image_url', image_url: { url: `data:image/png;base64,${image.toString('base64')}` } },
      { type: 'input_audio', input_audio: { data: sound.toString('base64'), format: 'wav' } },
    ],
  });
  const history = JSON.stringify(await stage.client.workflow.getHandle(run.id).fetchHistory());
  expect(history).not.toContain(image.toString('base64'));
});

test('a picture that the model reads from the session follows the result of the tool', async () => {
  const fileId = await upload(image, 'dot.png');
  stage.upstream.script({
    turns: [{ toolCalls: [{ name: 'read_file', arguments: '{"path":"dot.png"}' }] }, { text: 'A dot.' }],
  });
  const run = (await (await order([fileId])).json()) as RunObject;
  expect(run).toMatchObject({ status: 'completed' });
  const messages = stage.upstream.calls().at(-1)!.body.messages as Json[];
  expect(messages.slice(-2)).toEqual([
    { role: 'tool', tool_call_id: expect.any(String), content: 'The picture dot.png follows.' },
    {
      role: 'user',
      content: [
        { type: 'text', text: 'The pictures of the results:' },
        { type: 'image_url', image_url: { url: `data:image/png;base64,${image.toString('base64')}` } },
      ],
    },
  ]);
});

test('the agent lists the media types that it accepts, and refuses audio of another type', async () => {
  const agent = (await (await ask(api.url, '/v1/agents/ledgerline/writer', { headers: headers() })).json()) as Json;
  expect(agent.input).toMatchObject({
    files: true,
    accepted_media_types: expect.arrayContaining(['image/png', 'audio/wav', 'audio/mpeg']),
  });
  const refused = await order([await upload(Buffer.from('OggS, and so on'), 'beep.ogg')]);
  expect(await refused.json()).toMatchObject({ error: { code: 'unsupported_input', param: 'input.1.file_id' } });
});

test('refuses more than 20 MiB of media for one run', async () => {
  const large = await upload(Buffer.concat([image], 11 * MIB), 'large.png');
  const refused = await order([large, large]);
  expect(refused.status).toBe(422);
  expect(await refused.json()).toMatchObject({ error: { code: 'unsupported_input', param: 'input.2.file_id' } });
});
