import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readFileSync } from 'node:fs';
import { afterAll, describe, expect, test } from '@jest/globals';
import { seedAgents } from '../../../db/publishing/houseAgents.ts';
import { OFFICE_TYPES } from '../../../db/files/officeTypes.ts';
import type { RunObject } from '../../../db/runs/runObject.ts';
import { workbookJson } from '../../../tools/documents/readDocument.ts';
import { rehearse } from '../../../rules/rehearsal/rehearsal.ts';
import type { Totals } from '../../../rules/rehearsal/rehearsedAnalysis.ts';
import type { Json } from '../../../providers/provider.ts';
import { officeBomb } from '../../tools/documents/officeFiles.ts';
import { makeAccount } from '../../support/account.ts';
import { publishAgent } from '../../support/agent.ts';
import { makeFolder } from '../../support/folder.ts';
import { ask } from '../../support/guardStage.ts';
import { setSandboxedRunStage } from '../../support/runStage.ts';

const MIB = 1024 * 1024;
const image = Buffer.concat([Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'), Buffer.from('an image')]);
const sound = Buffer.concat([Buffer.from('RIFF\0\0\0\0WAVEfmt '), Buffer.from('a sound')]);

// The agents' model of this installation accepts images and audio.
const stage = await setSandboxedRunStage();
await seedAgents(stage.db.everywhere);
const account = await makeAccount(stage.db);
const folder = await makeFolder();
const catalogFile = join(folder.path, 'catalog.json');
const { rates: _, ...model } = stage.model;
const models = [{ ...model, usdPerMillion: { input_tokens: 0.3, output_tokens: 2.5 } }];
await writeFile(catalogFile, JSON.stringify({ upstreams: { main: { baseUrl: stage.upstream.url } }, models }));
const api = await stage.startApi({ MODEL_CATALOG_FILE: catalogFile });

afterAll(async () => {
  await stage.close();
  await folder.remove();
});

const headers = () => ({ authorization: `Bearer ${account.secret}` });

async function upload(bytes: Buffer<ArrayBuffer>, filename: string): Promise<string> {
  const body = new FormData();
  body.append('file', new Blob([bytes]), filename);
  body.append('purpose', 'agent_input');
  const response = await fetch(`${api.url}/v1/files`, { method: 'POST', headers: headers(), body });
  return ((await response.json()) as { id: string }).id;
}

const order = (fileIds: string[], { agent = 'ledgerline/writer', text = 'What is this?' } = {}) =>
  ask(api.url, '/v1/runs', {
    headers: { ...headers(), prefer: 'wait=30' },
    body: JSON.stringify({
      agent,
      input: [{ type: 'input_text', text }, ...fileIds.map((file_id) => ({ type: 'input_file', file_id }))],
    }),
  });

test("a multimodal model gets the input's images and audio; the workflow history contains none of their bytes", async () => {
  const fileIds = [await upload(image, 'dot.png'), await upload(sound, 'beep.wav')];
  const run = (await (await order(fileIds)).json()) as RunObject;
  expect(run).toMatchObject({ status: 'completed' });
  const messages = stage.upstream.lastMessages();
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
  const messages = stage.upstream.lastMessages();
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

interface Output {
  type: string;
  text?: string;
  file_id?: string;
  filename?: string;
  media_type?: string;
  data?: unknown;
}

test('the shipped analyst adds up a CSV file with separators and ends of lines in its cells', async () => {
  stage.upstream.script(rehearse);
  const table = Buffer.from('Name,Amount\n"Smith, J.",10.5\n"Line\nbreak",2\n');
  const asked = { agent: 'ledgerline/analyst', text: 'Return the totals as data.' };
  const run = (await (await order([await upload(table, 'list.csv')], asked)).json()) as RunObject;
  const output = run.output as Output[];
  expect(output.find((item) => item.type === 'output_data')!.data).toEqual({
    columns: [{ name: 'Amount', sum: 12.5, mean: 6.25, least: 2, greatest: 10.5 }],
    groups: {
      by: 'Name',
      of: 'Amount',
      sums: [
        { name: 'Smith, J.', sum: 10.5 },
        { name: 'Line\nbreak', sum: 2 },
      ],
    },
  });
  expect(output.at(-1)!.text).toContain('2 rows');
});

describe('a workbook', () => {
  const sales = readFileSync(join(import.meta.dirname, '..', '..', 'tools', 'documents', 'samples', 'sales.xlsx'));
  const contentOf = async (fileId: string) => fetch(`${api.url}/v1/files/${fileId}/content`, { headers: headers() });

  test('becomes a chart, a workbook of totals and data, with the rehearsal model', async () => {
    stage.upstream.script(rehearse);
    const text = 'Draw a chart of the amounts by region, write a workbook and return the totals as data.';
    const answer = await order([await upload(sales, 'sales.xlsx')], { agent: 'ledgerline/analyst', text });
    const run = (await answer.json()) as RunObject;
    expect(run).toMatchObject({ status: 'completed' });
    const output = run.output as Output[];
    const files = output.filter((item) => item.type === 'output_file');
    expect(new Map(files.map(({ filename, media_type }) => [filename, media_type]))).toEqual(
      new Map([
        ['chart.png', 'image/png'],
        ['totals.xlsx', OFFICE_TYPES['.xlsx']],
      ]),
    );
    const data = output.find((item) => item.type === 'output_data')!.data as Totals;
    expect(data.columns[0]).toEqual({ name: 'Amount', sum: 4100.85, mean: 1025.2125, least: 700.1, greatest: 1300.25 });
    expect(output.at(-1)!.text).toContain('Amount: sum 4100.85');
    const created = (await stage.eventsOf(run.id)).filter(({ type }) => type === 'run.output_file.created');
    expect(new Set(created.map((event) => event.data.filename))).toEqual(new Set(['chart.png', 'totals.xlsx']));
    const [chart, totals] = files.toSorted((a, b) => a.filename!.localeCompare(b.filename!));
    const picture = await contentOf(chart!.file_id!);
    expect(picture.headers.get('content-disposition')).toMatch(/^attachment/);
    expect(picture.headers.get('content-security-policy')).toContain('sandbox');
    expect(Buffer.from(await picture.arrayBuffer()).toString('latin1', 1, 4)).toBe('PNG');
    const written = Buffer.from(await (await contentOf(totals!.file_id!)).arrayBuffer());
    const sheets = JSON.parse(await workbookJson(written, new AbortController().signal));
    expect(sheets[1]).toMatchObject({
      name: 'Groups',
      rows: [
        ['Month', 'Amount'],
        ['2026-01-01', 2100.5],
        ['2026-02-01', 2000.35],
      ],
    });
  });

  test('gives totals in the form that an agent declares', async () => {
    stage.upstream.script(rehearse);
    const totals = {
      type: 'array',
      items: { type: 'object', properties: { name: { type: 'string' }, sum: { type: 'number' } } },
    };
    const output_schema = { type: 'object', properties: { totals }, required: ['totals'], additionalProperties: false };
    await stage.db.pool.query(
      `insert into namespaces (name, workspace_id, provider_name) values ('test', $1, 'Test') on conflict do nothing`,
      [account.workspaceId],
    );
    const tools = ['list_files', 'run_code', 'draw_chart'];
    const agent = await publishAgent(stage.db, { tools, output_schema }, { workspaceId: account.workspaceId });
    const answer = await order([await upload(sales, 'sales.xlsx')], { agent, text: 'Draw a chart.' });
    const run = (await answer.json()) as RunObject;
    expect(run).toMatchObject({ status: 'completed' });
    const output = run.output as Output[];
    expect(output.map(({ type }) => type)).toEqual(['output_file', 'output_data']);
    expect(output[1]!.data).toMatchObject({
      totals: [
        { name: 'Amount', sum: 4100.85 },
        { name: 'Share', sum: 1 },
      ],
    });
  });

  test.each([
    ['damaged', Buffer.from('PK\u0003\u0004 and nothing else'), 'no complete archive'],
    ['of a gigabyte when inflated', officeBomb(1024), 'inflate beyond the limit'],
  ])('that is %s is an error of the tool, and the run goes on', async (_what, bytes, message) => {
    const name = bytes.length > 1000 ? 'bad.docx' : 'bad.xlsx';
    const read = { toolCalls: [{ name: 'read_file', arguments: JSON.stringify({ path: name }) }] };
    stage.upstream.script({ turns: [read, { text: 'It cannot be read.' }] });
    const run = (await (await order([await upload(Buffer.from(bytes), name)])).json()) as RunObject;
    expect(run).toMatchObject({ status: 'completed' });
    const messages = stage.upstream.lastMessages();
    expect(messages.at(-1)).toMatchObject({ role: 'tool', content: expect.stringContaining(message) });
  });
});
