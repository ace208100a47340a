import { afterAll, expect, test } from '@jest/globals';
import { checkInvariants } from '../../../db/invariants/invariants.ts';
import { nanosOfUsd } from '../../../db/money.ts';
import { until } from '../../support/until.ts';
import { setPublisherStage, type DeploymentBody } from './publisherStage.ts';

const pricing = (outputUsd: number) => ({
  minimum_cost_usd: 0,
  maximum_cost_usd: 1,
  rates: [
    { meter: 'model_input_tokens', price_usd: 0.000001 },
    { meter: 'model_output_tokens', price_usd: outputUsd },
  ],
});

const stage = await setPublisherStage();
const agent = await stage.makeAgent({ pricing: pricing(0.000005), tools: ['ask_user'] });
await release(1);
afterAll(() => stage.close());

/** Publishes the draft. Returns the version. */
async function release(revision: number): Promise<string> {
  const { id, version_id: versionId } = await stage.read<DeploymentBody>(stage.submit(agent.id, revision), 200);
  await stage.read(stage.decide(id, 'approve'), 200);
  return versionId;
}

interface Run {
  id: string;
  status: string;
  version: string;
  version_id: string;
  usage: {
    meters: { id: string; quantity: number; price_usd: number }[];
    platform_cost_usd: number;
    network_fee_usd: number;
    total_usd: number;
  };
}

/** Runs the agent from another workspace and waits for its end. */
function run(text: string, members: object = {}): Promise<Run> {
  const body = { agent: agent.name, input: JSON.stringify({ scripted: { text } }), ...members };
  const key = stage.stranger.secret;
  return stage.read<Run>(stage.call('/v1/runs', { key, body, headers: { prefer: 'wait=30' } }), 200);
}

/** The ledger's entries of a run: nano-USD by kind, separately for the publisher's account. */
async function entriesOf(runId: string): Promise<{ debit: bigint; earning: bigint; others: bigint }> {
  const { rows } = await stage.db.pool.query<{ kind: string; workspace_id: string | null; amount_nanos: string }>(
    'select kind, workspace_id, amount_nanos from ledger_entries where subject = $1',
    [runId],
  );
  const sum = (of: (row: (typeof rows)[number]) => boolean) =>
    rows.filter(of).reduce((total, row) => total + BigInt(row.amount_nanos), 0n);
  const isDebit = (row: (typeof rows)[number]) => row.workspace_id === stage.stranger.workspaceId;
  const isEarning = (row: (typeof rows)[number]) => row.kind === 'earning' && row.workspace_id !== null;
  return { debit: sum(isDebit), earning: sum(isEarning), others: sum((row) => !isDebit(row) && !isEarning(row)) };
}

interface Entry {
  kind: string;
  run_id: string | null;
  amount_usd: number;
}

test('splits the price of a run between publisher, platform and network, to the nano-dollar', async () => {
  const { id, usage } = await run('Rain falls on the roof.');
  const { debit, earning, others } = await entriesOf(id);
  expect(-debit).toBe(nanosOfUsd(usage.total_usd));
  const [feeNanos, platformNanos] = [nanosOfUsd(usage.network_fee_usd), nanosOfUsd(usage.platform_cost_usd)];
  expect([earning, others]).toEqual([nanosOfUsd(usage.total_usd) - feeNanos - platformNanos, feeNanos + platformNanos]);
  expect(feeNanos).toBe((earning + platformNanos + 5n) / 10n);
  const listed = await stage.read<{ data: Entry[] }>(stage.call('/platform/v1/billing/ledger'), 200);
  const shown = listed.data.filter(({ run_id }) => run_id === id);
  expect(shown.map(({ kind, amount_usd }) => [kind, nanosOfUsd(amount_usd)])).toEqual([['earning', earning]]);
});

interface Line {
  runs: number;
  gross_usd: number;
  platform_cost_usd: number;
  network_fee_usd: number;
  earned_usd: number;
}

test("the month's statement equals the ledger, as JSON and as CSV", async () => {
  for (const text of ['One.', 'Two words.', 'Three words more.']) await run(text);
  const { rows } = await stage.db.pool.query(
    `select count(*)::int as runs, sum(amount_nanos) as earned from ledger_entries where kind = 'earning' and workspace_id = $1`,
    [stage.publisher.workspaceId],
  );
  const [runs, earned] = [rows[0].runs as number, BigInt(rows[0].earned)];
  const statement = await stage.read<{ totals: Line; balance_usd: number; data: (Line & { agent: string })[] }>(
    stage.call('/v1/publisher/statement'),
    200,
  );
  expect([statement.totals.runs, nanosOfUsd(statement.totals.earned_usd)]).toEqual([runs, earned]);
  expect(nanosOfUsd(statement.balance_usd)).toBe(earned);
  expect(statement.data.map((line) => line.agent)).toEqual([agent.name]);
  const { totals } = statement;
  const parts = [totals.earned_usd, totals.network_fee_usd, totals.platform_cost_usd].map(nanosOfUsd);
  expect(parts.reduce((sum, nanos) => sum + nanos, 0n)).toBe(nanosOfUsd(totals.gross_usd));
  const csv = await stage.call('/v1/publisher/statement?format=csv');
  expect(csv.headers.get('content-type')).toBe('text/csv; charset=utf-8');
  const [heading, ...lines] = (await csv.text()).trimEnd().split('\r\n');
  expect(heading).toBe(
    'date,agent,version,runs,gross_usd,subsidy_usd,platform_cost_usd,network_fee_usd,earned_usd,payout_id,to,reference,paid_out_usd,owed_usd,own',
  );
  const cells = lines.map((line) => line.split(','));
  expect(cells.reduce((sum, line) => sum + nanosOfUsd(line[8]!), 0n)).toBe(earned);
  expect(cells.reduce((sum, line) => sum + Number(line[3]), 0)).toBe(runs);
});

test('the statement of another workspace, and of a month without runs, is empty', async () => {
  const empty = { totals: { runs: 0, earned_usd: 0 }, data: [] };
  expect(await stage.read(stage.call('/v1/publisher/statement?month=2020-02'), 200)).toMatchObject(empty);
  const key = stage.stranger.secret;
  expect(await stage.read(stage.call('/v1/publisher/statement', { key }), 200)).toMatchObject(empty);
  for (const month of ['2020-13', '0000-01', '1999-12', '9999-12', '2020-1'])
    expect((await stage.call(`/v1/publisher/statement?month=${month}`)).status).toBe(422);
});

test('a more expensive version changes only runs that name it, until its notice is over', async () => {
  // It waits for its caller's input while the version changes.
  const question = { name: 'ask_user', arguments: JSON.stringify({ question: 'Where?' }) };
  const input = JSON.stringify({ scripted: { turns: [{ toolCalls: [question] }, { text: 'Rain.' }] } });
  const key = stage.stranger.secret;
  const started = await stage.read<Run>(stage.call('/v1/runs', { key, body: { agent: agent.name, input } }), 202);
  const read = () => stage.read<Run>(stage.call(`/v1/runs/${started.id}`, { key }), 200);
  await until(async () => (await read()).status === 'requires_action');
  const headers = { 'if-match': '"draft-1"' };
  const body = { pricing: pricing(0.000025) };
  await stage.read(stage.call(`/v1/publisher/agents/${agent.id}/draft`, { method: 'PATCH', headers, body }), 200);
  const next = await release(2);
  const answer = { type: 'text', text: 'On the roof.' };
  await stage.read(stage.call(`/v1/runs/${started.id}/input`, { key, body: answer }), 202);
  await until(async () => (await read()).status === 'completed', { pollMs: 50 });
  const priceOf = ({ usage }: Run) => usage.meters.find(({ id }) => id === 'model_output_tokens')?.price_usd;
  const former = await read();
  expect([former.version_id, priceOf(former)]).toEqual([started.version_id, 0.000005]);
  const dearer = await run('Rain.', { version: next });
  expect([dearer.version_id, priceOf(dearer)]).toEqual([next, 0.000025]);
  const unnamed = await run('Rain.');
  expect([unnamed.version_id, priceOf(unnamed)]).toEqual([former.version_id, 0.000005]);
  const shown = await stage.read<{ version: string; upcoming_version: { pricing: { meters: object[] } } }>(
    stage.call(`/v1/agents/${agent.name}`, { key }),
    200,
  );
  expect(shown.version).toBe(former.version);
  expect(shown.upcoming_version.pricing.meters).toContainEqual(expect.objectContaining({ price_usd: 0.000025 }));
  const pinned = await run('Rain.', { version: former.version });
  expect([pinned.version_id, priceOf(pinned)]).toEqual([former.version_id, 0.000005]);
});

test('the ledger check passes', async () => {
  const { violations } = await checkInvariants(stage.db.pool);
  expect(violations).toEqual([]);
});
