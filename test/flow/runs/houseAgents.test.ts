import { afterAll, expect, test } from '@jest/globals';
import type { RunObject } from '../../../db/runs/runObject.ts';
import { startScripted } from '../../../rules/scripted/startScripted.ts';
import { analyst, read, setRunRouteStage, writer } from '../../support/runRouteStage.ts';
import { startWorkerProcess } from '../../support/startWorker.ts';
import { startTestTemporal } from '../../support/temporal.ts';

// The server may have to be obtained first.
const [vendor, temporal] = await Promise.all([startScripted(), startTestTemporal()]);
const env = {
  AGENT_UPSTREAM_URL: vendor.url,
  AGENT_UPSTREAM_KEY: 'sk-vendor',
  AGENT_UPSTREAM_MODEL: 'vendor-large',
  AGENT_UPSTREAM_USD_PER_MILLION: '2/8',
  TEMPORAL_ADDRESS: temporal.address,
};
const stage = await setRunRouteStage({ env });
const worker = await startWorkerProcess({ ...stage.addresses, temporalAddress: temporal.address, env });
afterAll(async () => {
  await worker.stop();
  await stage.close();
  await temporal.stop();
  await vendor.stop();
});

const call = (name: string, input: object) => ({ name, arguments: JSON.stringify(input) });

async function upload(name: string, content: string): Promise<string> {
  const form = new FormData();
  form.append('purpose', 'agent_input');
  form.append('file', new Blob([content], { type: name.endsWith('.csv') ? 'text/csv' : 'text/plain' }), name);
  const headers = { authorization: `Bearer ${stage.mine.secret}` };
  const response = await fetch(`${stage.url}/v1/files`, { method: 'POST', body: form, headers });
  return ((await response.json()) as { id: string }).id;
}

/** Runs a house agent to its end; the vendor's model answers in these turns. */
async function runAgent(agent: string, turns: object[], fileId?: string): Promise<RunObject> {
  vendor.reset();
  vendor.script({ turns });
  const file = fileId === undefined ? [] : [{ type: 'input_file', file_id: fileId }];
  const body = { agent, max_cost_usd: 0.1, input: [{ type: 'input_text', text: 'Do it.' }, ...file] };
  const response = await stage.call('/v1/runs', { body, headers: { prefer: 'wait=60' } });
  const run = await read<RunObject>(response, 200);
  expect(run.error).toBeNull();
  expect(run.status).toBe('completed');
  return run;
}

/** The requests to the vendor: its own key and model name, the agent's instructions and tools, and tool results. */
function sent() {
  const calls = vendor.calls();
  for (const { headers, body } of calls) {
    expect(headers.authorization).toBe('Bearer sk-vendor');
    expect(body.model).toBe('vendor-large');
  }
  const { messages, tools } = calls.at(-1)!.body as {
    messages: { role: string; content: unknown }[];
    tools: { function: { name: string } }[];
  };
  const textsOf = (role: string) =>
    messages.filter((one) => one.role === role).map(({ content }) => JSON.stringify(content));
  return {
    instructions: textsOf('system').join(),
    results: textsOf('tool'),
    tools: tools.map((tool) => tool.function.name),
  };
}

/** The bill uses the vendor's prices: no meter is below them. */
function expectPaid(run: RunObject): void {
  const priceOf = (id: string) => run.usage.meters.find((meter) => meter.id === id)?.price_usd;
  expect(priceOf('model_input_tokens')).toBe(0.000002);
  expect(priceOf('model_output_tokens')).toBe(0.000008);
  expect(run.usage.total_usd).toBeGreaterThan(0);
  expect(run.usage.platform_cost_usd).toBeGreaterThan(0);
}

test('the analyst computes its figures from the uploaded file with code', async () => {
  const fileId = await upload('sales.csv', 'item,amount\nTea,1.10\nCoffee,2.20\nCake,3.35\n');
  const code =
    "const rows = readFile('sales.csv').trim().split('\\n').slice(1); console.log(rows.reduce((sum, row) => sum + Number(row.split(',')[1]), 0).toFixed(2));";
  const turns = [
    { toolCalls: [call('list_files', {})] },
    { toolCalls: [call('run_code', { language: 'javascript', code })] },
    { text: 'The total is 6.65 (sales.csv).' },
  ];
  const run = await runAgent(analyst, turns, fileId);
  expect(run.output).toEqual([{ type: 'output_text', text: 'The total is 6.65 (sales.csv).' }]);
  const { instructions, results, tools } = sent();
  expect(instructions).toContain('Never guess a number: compute it.');
  const files = ['draw_chart', 'list_files', 'read_file', 'return_data', 'run_code', 'write_file', 'write_table'];
  expect(tools.toSorted()).toEqual(files);
  expect(results[0]).toContain('sales.csv');
  expect(results[1]).toContain('6.65');
  expectPaid(run);
});

test('the researcher finds the passage in the uploaded document', async () => {
  const fileId = await upload('contract.txt', 'Payment is due in 14 days.\nThe notice period is three months.\n');
  const turns = [
    { toolCalls: [call('search_files', { query: 'notice period' })] },
    { toolCalls: [call('read_file', { path: 'contract.txt' })] },
    { text: 'Three months (contract.txt).' },
  ];
  const run = await runAgent('ledgerline/researcher', turns, fileId);
  const { instructions, results, tools } = sent();
  expect(instructions).toContain('Name the file after each statement.');
  expect(tools.toSorted()).toEqual(['list_files', 'read_file', 'search_files']);
  expect(results[0]).toContain('contract.txt');
  expect(results[1]).toContain('The notice period is three months.');
  expectPaid(run);
});

test('the writer saves its text as a file of the session', async () => {
  const turns = [
    { toolCalls: [call('write_file', { path: 'announcement.md', content: '# New opening hours' })] },
    { text: 'Saved as announcement.md.' },
  ];
  const run = await runAgent(writer, turns);
  const { instructions } = sent();
  expect(instructions).toContain('You are a careful writer.');
  const saved = run.output.find((item) => (item as { type: string }).type === 'output_file') as { file_id: string };
  const content = await stage.call(`/v1/files/${saved.file_id}/content`);
  expect(await content.text()).toBe('# New opening hours');
  expectPaid(run);
});
