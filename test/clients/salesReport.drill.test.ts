import { afterAll, expect, test } from '@jest/globals';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { faultsOfData, type JsonSchema } from '../../base/jsonSchema.ts';
import { until } from '../support/until.ts';
import { expectBill, setSalesStage, type Run, type SalesStage } from './salesStage.ts';

// The agent of `docs/examples/salesReport`, from its draft to a rerun with its next version, with the programs of that folder and of the
// guide.

const startMs = 1_200_000;
const stepMs = 300_000;
const regions = [
  { region: 'North', amount: 2600, share_percent: 37.1 },
  { region: 'West', amount: 1800, share_percent: 25.7 },
  { region: 'South', amount: 1600.1, share_percent: 22.8 },
  { region: 'East', amount: 1011.15, share_percent: 14.4 },
];
const totals = {
  sales: 8,
  total: 7011.25,
  by_region: regions.map(({ region, amount }) => ({ region, amount })),
};

let report: { agentId: string; first: string; next: string };
const stage = await setSalesStage();
afterAll(() => stage.close(), startMs);

interface Expected {
  data?: object;
  schema?: string;
  calls?: ReturnType<SalesStage['takeCalls']>;
}

/** The run returned the totals, fits its version's schema, and costs the sum of its parts. */
function expectTotals(
  run: Run,
  { data = totals, schema = 'agent.json', calls = stage.takeCalls() }: Expected = {},
): void {
  expect(run).toMatchObject({ status: 'completed', error: null });
  expect(run.output.at(-1)).toEqual({ type: 'output_data', data });
  const { output_schema: declared } = stage.readJson(schema) as { output_schema: JsonSchema };
  expect(faultsOfData(declared, data)).toEqual([]);
  expectBill(run, calls);
}

/** A run of the report that a program has started: its totals, and the chart that the program saved. */
async function expectReported(printed: string, source: string): Promise<void> {
  const [json] = /\{.*\}/s.exec(printed)!;
  expect(JSON.parse(json)).toEqual(totals);
  const run = await stage.lastRun();
  expect(run).toMatchObject({ agent: stage.agent, source, version_id: report.first });
  expectTotals(run);
  const chart = stage.takeFile('sales.png');
  expectPng(chart);
  expect(await stage.fileOf(run)).toEqual(chart);
}

function expectPng(bytes: Buffer): void {
  expect(bytes.toString('latin1', 1, 4)).toBe('PNG');
  expect([bytes.readUInt32BE(16), bytes.readUInt32BE(20)]).toEqual([1920, 1080]);
  expect(bytes.length).toBeGreaterThan(5_000);
}

test('it is drafted, frozen and submitted, tried by the review, and approved by an operator', async () => {
  const [agentId, deployment] = (await stage.publish('publish.sh', ['agent.json'])).split(' ') as [string, string];
  await stage.tried(deployment, { isLive: false });
  const [trials, approved] = (await stage.operate('approve.sh', [deployment]))
    .split('\n')
    .map((line) => JSON.parse(line));
  const [first] = (await stage.versionsOf(agentId)).map(({ id }) => id);
  report = { agentId, first: first!, next: '' };
  expect(trials.data[0].submitted.output[1].data.by_region).toEqual([
    { region: 'North', amount: 200 },
    { region: 'South', amount: 100 },
  ]);
  expect(approved).toMatchObject({ status: 'active', version_id: first });
  const shown = await stage.get(`/v1/agents/${stage.agent}`);
  expect(shown).toMatchObject({ output_schema: stage.readJson('agent.json').output_schema });
});

test('curl runs it', async () => {
  const run = JSON.parse(await stage.runSnippet('sh', 'Prefer: wait=60')) as Run;
  expect(run.id).toBe((await stage.lastRun()).id);
  expectTotals(run);
  expectPng(await stage.fileOf(run));
});

test('the official OpenAI clients ask it as a model, with the workbook in the message', async () => {
  await expectReported(await stage.runSnippet('openai', 'chat.completions.create'), 'api');
  await expectReported(await stage.runSnippet('node', 'responses.create'), 'api');
});

test('MCP clients find it by the configuration of the guide, and call it', async () => {
  const { mcpServers } = JSON.parse(stage.filled(stage.takeSnippet('mcpServers'))) as {
    mcpServers: { ledgerline: { url: string; headers: Record<string, string> } };
  };
  const { url, headers } = mcpServers.ledgerline;
  const client = new Client({ name: 'drill', version: '1' });
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }));
  const { tools } = await client.listTools();
  await client.close();
  const tool = tools.find(({ name }) => name === stage.agent.replace('/', '__'));
  expect(tool!.outputSchema).toEqual(stage.readJson('agent.json').output_schema);
  await expectReported(await stage.runSnippet('agents', 'client.call_tool'), 'api');
});

test('an A2A client sends it a message', async () => {
  await expectReported(await stage.runSnippet('agents', 'A2ACardResolver'), 'api');
});

test('a schedule runs it', async () => {
  await stage.runSnippet('sh', '/v1/schedules');
  await until(async () => (await stage.lastRun()).source === 'schedule', { timeoutMs: stepMs, pollMs: 200 });
  await until(async () => (await stage.lastRun()).status === 'completed', { timeoutMs: stepMs, pollMs: 200 });
  const run = await stage.lastRun();
  expectTotals(run);
  expectPng(await stage.fileOf(run));
});

test('the guide has no other programs', () => {
  expect(stage.snippetsLeft()).toEqual([]);
});

test('another agent calls it, within its own limit', async () => {
  const [, deployment] = (await stage.publish('publish.sh', ['manager.json'])).split(' ') as [string, string];
  await stage.tried(deployment, { isLive: false });
  await stage.operate('approve.sh', [deployment]);
  const run = JSON.parse(await stage.run('bash', 'call.sh', { AGENT: `${stage.namespace}/sales-manager` })) as Run;
  expect(run).toMatchObject({ status: 'completed', max_cost_usd: 0.1 });
  expect(run.output).toEqual([{ type: 'output_text', text: 'North sold most: 2600 of 7011.25.' }]);
  const child = (await stage.runs()).find(({ parent_run_id: parent }) => parent === run.id)!;
  expect(child).toMatchObject({ agent: stage.agent, source: 'agent', max_cost_usd: 0.05 });
  // The manager's model, then three times the report's, then the manager's again.
  const calls = stage.takeCalls();
  expect(calls).toHaveLength(6);
  expectTotals(child, { calls: calls.slice(2, 5) });
  expectBill(run, [...calls.slice(0, 2), ...calls.slice(5)]);
  expectPng(await stage.fileOf(child));
  expect(run.usage.children_usd).toBe(child.usage.total_usd);
  expect(run.usage.total_usd + child.usage.total_usd).toBeLessThan(run.max_cost_usd);
});

test('a run is repeated from its second step with the next version, and both are compared', async () => {
  const run = JSON.parse(await stage.run('bash', 'call.sh')) as Run;
  expectTotals(run);
  const deployment = await stage.publish('publishNext.sh', ['nextVersion.json', report.agentId]);
  await stage.tried(deployment, { isLive: true });
  expect(await stage.operate('approve.sh', [deployment])).toContain('"status":"active"');
  [report.next] = (await stage.versionsOf(report.agentId)).map(({ id }) => id) as [string];
  const compared = JSON.parse(await stage.run('bash', 'rerun.sh', {}, [run.id, '2', report.next])) as Comparison;
  const again = await stage.lastRun();
  expectTotals(again, { data: { ...totals, by_region: regions }, schema: 'nextVersion.json' });
  expect(again).toMatchObject({ version_id: report.next, rerun_of: { run_id: run.id, from_step: 2 } });
  const chart = (await stage.fileOf(again)).toString();
  expect(chart).toMatch(/^<svg [^]*North[^]*<\/svg>\s*$/);
  expect(compared).toMatchObject({
    first: { id: again.id, version_id: report.next, reused_steps: 1, total_usd: again.usage.total_usd },
    second: { id: run.id, version_id: report.first, reused_steps: 0, total_usd: run.usage.total_usd },
    is_output_same: false,
  });
  const pairs = compared.steps.map(({ state, second }) => [second!.name ?? second!.kind, state]);
  expect(pairs).toEqual([
    [expect.any(String), 'same'],
    ['run_code', 'same'],
    [expect.any(String), 'changed'],
    ['draw_chart', 'changed'],
    [expect.any(String), 'changed'],
  ]);
  expect(compared.first.input_tokens).toBeLessThan(compared.second.input_tokens);
});

interface Side {
  input_tokens: number;
}

interface Comparison {
  first: Side;
  second: Side;
  steps: { state: string; second: { kind: string; name: string | null } | null }[];
}

test('the balance paid these runs to the nano, the publisher earned, and no ledger rule is broken', async () => {
  const runs = await stage.runs();
  expect(runs.length).toBe(10);
  expect(await stage.spentNanos()).toBe(runs.reduce((sum, run) => sum + nanosOf(run.usage.total_usd), 0n));
  // These runs and the reviews' trials have called the model.
  const statement = await stage.getAsPublisher<{ totals: { earned_usd: number } }>('/v1/publisher/statement');
  expect(statement.totals.earned_usd).toBeGreaterThan(0);
  expect(await stage.admin('ledger', 'check')).toMatchObject({ violations: [] });
});

const nanosOf = (usd: number) => BigInt(Math.round(usd * 1e9));
