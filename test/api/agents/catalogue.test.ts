import { afterAll, describe, expect, test } from '@jest/globals';
import { finishTestRun, makeRun, type TestEnding } from '../../support/run.ts';
import { read, setRunRouteStage } from '../../support/runRouteStage.ts';

interface AgentBody {
  id: string;
  name: string;
  categories: string[];
  pricing: { maximum_cost_usd: number };
}

interface Page {
  object: string;
  data: AgentBody[];
  has_more: boolean;
  next_cursor: string | null;
}

const stage = await setRunRouteStage();
const sql = `insert into namespaces (name, workspace_id, provider_name, verified, website) values ('test', $1, 'Testers', false, 'https://test.example')`;
await stage.db.pool.query(sql, [stage.other.workspaceId]);
const pricing = (maximum: number) => ({
  minimum_cost_usd: 0,
  maximum_cost_usd: maximum,
  rates: [{ meter: 'tool_calls' as const, price_usd: 0.001 }],
});
const poetry = { categories: ['poetry'], description: 'Writes Sonnets.' };
const names = {
  cheap: await stage.publish({ ...poetry, name: 'Aardvark', pricing: pricing(0.01) }),
  dear: await stage.publish({ ...poetry, name: 'Zebra', pricing: pricing(100), tools: ['read_file'] }),
  hidden: await stage.publish({ ...poetry, name: 'Mole' }, { visibility: 'private' }),
};
afterAll(() => stage.close());

const list = async (query: string) => read<Page>(await stage.call(`/v1/agents?${query}`), 200);
const idsOf = ({ data }: Page) => data.map(({ id }) => id);

// Sold at the platform's cost by default.
function meter(id: string, unit: string, price_usd: number, platform_cost_usd = price_usd) {
  return { id, unit, price_usd, platform_cost_usd, description: expect.any(String) };
}

test('GET of an agent returns its provider, input and output, prices and data policy', async () => {
  const agent = await read(await stage.call(`/v1/agents/${names.dear}`), 200);
  expect(agent).toEqual({
    id: names.dear,
    object: 'agent',
    name: 'Zebra',
    description: 'Writes Sonnets.',
    provider: { id: 'test', name: 'Testers', verified: false, website: 'https://test.example', logo_url: null },
    version: '2026-01-01',
    status: 'available',
    categories: ['poetry'],
    input: {
      text: true,
      files: true,
      data: false,
      accepted_media_types: expect.arrayContaining(['text/csv', 'application/pdf']),
    },
    output_types: ['text'],
    input_schema: null,
    output_schema: null,
    accepts_response_format: false,
    model: 'ledgerline-text-1',
    max_steps: 32,
    tools: ['read_file'],
    http_tools: [],
    agents: [],
    plugins: [],
    example_prompts: ['Hello.'],
    icon_file_id: null,
    icon_url: null,
    pricing: {
      id: expect.stringMatching(/^rate_/),
      currency: 'USD',
      minimum_cost_usd: 0,
      maximum_cost_usd: 100,
      network_fee_percentage: 10,
      subsidised: false,
      meters: [
        meter('tool_calls', 'call', 0.001, 0),
        meter('model_input_tokens', 'token', 0.0000003),
        meter('model_output_tokens', 'token', 0.0000025),
        meter('sandbox_seconds', 'second', 0.00005),
      ],
    },
    data_policy: {
      retention: 'limited',
      retention_days: 30,
      training: false,
      hosts: [],
      remembers: false,
      memory_days: null,
      policy_url: expect.stringMatching(/^http/),
    },
    upcoming_version: null,
    channels: [],
    taken_down: null,
    deprecation: null,
    runs: 0,
    updated_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
  });
});

describe('the search for agents', () => {
  test('finds agents by words in name, description and address, case-insensitively', async () => {
    expect(idsOf(await list('search=SONNETS&sort=name'))).toEqual([names.cheap, names.dear]);
    expect(idsOf(await list('search=zebra'))).toEqual([names.dear]);
    expect(idsOf(await list('search=ledgerline/an'))).toEqual(['ledgerline/analyst']);
    expect(idsOf(await list('search=%25'))).toEqual([]);
  });

  test('filters by category and by the maximum cost of a run', async () => {
    expect(idsOf(await list('category=poetry&sort=price'))).toEqual([names.cheap, names.dear]);
    expect(idsOf(await list('category=poetry&max_cost_usd=1'))).toEqual([names.cheap]);
    expect(idsOf(await list('category=nothing'))).toEqual([]);
  });

  test('lists newest first by default, and never private agents', async () => {
    const all = idsOf(await list('limit=100'));
    expect(all.slice(0, 2)).toEqual([names.dear, names.cheap]);
    expect(all).toEqual(expect.arrayContaining(['ledgerline/writer', 'ledgerline/analyst', 'ledgerline/researcher']));
    expect(all).not.toContain(names.hidden);
    expect((await stage.call(`/v1/agents/${names.hidden}`)).status).toBe(404);
  });

  test('pages with cursors that are valid for one search of one workspace only', async () => {
    const first = await list('sort=name&limit=2');
    expect(first).toMatchObject({ object: 'list', has_more: true });
    const second = await list(`sort=name&limit=100&cursor=${first.next_cursor}`);
    expect([...idsOf(first), ...idsOf(second)]).toEqual(idsOf(await list('sort=name&limit=100')));
    expect(second).toMatchObject({ has_more: false, next_cursor: null });
    expect((await stage.call(`/v1/agents?sort=price&cursor=${first.next_cursor}`)).status).toBe(422);
    const key = stage.other.secret;
    expect((await stage.call(`/v1/agents?sort=name&cursor=${first.next_cursor}`, { key })).status).toBe(422);
  });

  test.each(['limit=0', 'sort=luck', 'max_cost_usd=-1', 'colour=red'])('answers 422 for %s', async (query) => {
    expect((await stage.call(`/v1/agents?${query}`)).status).toBe(422);
  });

  test.each(['/v1/agents/Test/x', '/v1/agents/test/a--b', '/v1/agents/-/x'])(
    'answers 422 for the invalid name %s',
    async (path) => {
      expect((await stage.call(path)).status).toBe(422);
    },
  );
});

test('the quality card of an agent is computed from the ended runs of callers alone', async () => {
  const { rows } = await stage.db.pool.query(`select id from agents where namespace || '/' || slug = $1`, [
    names.cheap,
  ]);
  type Ending = TestEnding & { kind?: string; publisherWorkspaceId?: string; by?: typeof stage.mine };
  const endings: Ending[] = [
    { status: 'completed', subtotalNanos: 100n },
    { status: 'completed', subtotalNanos: 300n },
    { status: 'completed', subtotalNanos: 200n },
    { status: 'failed' },
    { status: 'cancelled' },
    // No caller started these for its own use.
    { status: 'failed', kind: `source = 'review'` },
    { status: 'failed', kind: `source = 'test'` },
    { status: 'failed', kind: `rerun_of = 'run_a', rerun_from_step = 2` },
    { status: 'failed', kind: `source = 'agent', parent_run_id = 'run_a', parent_step = 2, depth = 1` },
    { status: 'failed', kind: `rehearsed = true` },
    { status: 'failed', publisherWorkspaceId: stage.mine.workspaceId },
    { status: 'failed', by: await stage.account({ isTest: true }) },
  ];
  for (const {
    kind = `source = 'api'`,
    publisherWorkspaceId = stage.other.workspaceId,
    by = stage.mine,
    ...ending
  } of endings) {
    const run = await makeRun(stage.db, by, { publisherWorkspaceId });
    const text = `update runs set agent_id = $2, started_at = created_at, ${kind} where id = $1`;
    await stage.asOwner(text, [run.id, rows[0].id]);
    await finishTestRun(stage.db, run, ending);
  }
  const quality = await read(await stage.call(`/v1/agents/${names.cheap}/quality`), 200);
  expect(quality).toMatchObject({
    object: 'agent.quality',
    agent: names.cheap,
    days: 30,
    runs: 5,
    completed: 3,
    completion_rate: 0.75,
    median_cost_usd: 2e-7,
    refund_rate: 0,
  });
  const untouched = await read(await stage.call(`/v1/agents/${names.dear}/quality`), 200);
  expect(untouched).toMatchObject({ runs: 0, completion_rate: null, median_cost_usd: null, refund_rate: null });
});
