import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { finishTestRun, makeRun } from '../../support/run.ts';
import { read, setRunRouteStage, type RunRouteStage } from '../../support/runRouteStage.ts';

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

let stage: RunRouteStage;
let names: Record<'cheap' | 'dear' | 'hidden', string>;

beforeAll(async () => {
  stage = await setRunRouteStage();
  const sql = `insert into namespaces (name, workspace_id, provider_name, verified, website) values ('test', $1, 'Testers', false, 'https://test.example')`;
  await stage.db.pool.query(sql, [stage.other.workspaceId]);
  const pricing = (maximum: number) => ({
    minimum_cost_usd: 0,
    maximum_cost_usd: maximum,
    rates: [{ meter: 'tool_calls' as const, price_usd: 0.001 }],
  });
  const poetry = { categories: ['poetry'], description: 'Writes Sonnets.' };
  names = {
    cheap: await stage.publish({ ...poetry, name: 'Aardvark', pricing: pricing(0.01) }),
    dear: await stage.publish({ ...poetry, name: 'Zebra', pricing: pricing(100), tools: ['read_file'] }),
    hidden: await stage.publish({ ...poetry, name: 'Mole' }, { visibility: 'private' }),
  };
});
afterAll(() => stage.close());

const list = async (query: string) => read<Page>(await stage.call(`/v1/agents?${query}`), 200);
const idsOf = ({ data }: Page) => data.map(({ id }) => id);

// Sold at the platform's cost, unless another one is said.
function meter(id: string, unit: string, price_usd: number, platform_cost_usd = price_usd) {
  return { id, unit, price_usd, platform_cost_usd, description: expect.any(String) };
}

test('an agent is shown with its provider, what it takes and gives, its prices and its data policy', async () => {
  const agent = await read(await stage.call(`/v1/agents/${names.dear}`), 200);
  expect(agent).toEqual({
    id: names.dear,
    object: 'agent',
    name: 'Zebra',
    description: 'Writes Sonnets.',
    provider: { id: 'test', name: 'Testers', verified: false, website: 'https://test.example' },
    version: '2026-01-01',
    status: 'available',
    categories: ['poetry'],
    input: { text: true, files: true, accepted_media_types: expect.arrayContaining(['text/csv', 'application/pdf']) },
    output_types: ['text'],
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
      policy_url: expect.stringMatching(/^http/),
    },
    updated_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
  });
});

describe('agents are found', () => {
  test('by words in name, description and address, upper and lower case alike', async () => {
    expect(idsOf(await list('search=SONNETS&sort=name'))).toEqual([names.cheap, names.dear]);
    expect(idsOf(await list('search=zebra'))).toEqual([names.dear]);
    expect(idsOf(await list('search=ledgerline/an'))).toEqual(['ledgerline/analyst']);
    expect(idsOf(await list('search=%25'))).toEqual([]);
  });

  test('by category and by what one run may cost', async () => {
    expect(idsOf(await list('category=poetry&sort=price'))).toEqual([names.cheap, names.dear]);
    expect(idsOf(await list('category=poetry&max_cost_usd=1'))).toEqual([names.cheap]);
    expect(idsOf(await list('category=nothing'))).toEqual([]);
  });

  test('newest first unless asked otherwise, and never those that are private', async () => {
    const all = idsOf(await list('limit=100'));
    expect(all.slice(0, 2)).toEqual([names.dear, names.cheap]);
    expect(all).toEqual(expect.arrayContaining(['ledgerline/writer', 'ledgerline/analyst', 'ledgerline/researcher']));
    expect(all).not.toContain(names.hidden);
    expect((await stage.call(`/v1/agents/${names.hidden}`)).status).toBe(404);
  });

  test('page by page, with cursors that belong to one search of one workspace', async () => {
    const first = await list('sort=name&limit=2');
    expect(first).toMatchObject({ object: 'list', has_more: true });
    const second = await list(`sort=name&limit=100&cursor=${first.next_cursor}`);
    expect([...idsOf(first), ...idsOf(second)]).toEqual(idsOf(await list('sort=name&limit=100')));
    expect(second).toMatchObject({ has_more: false, next_cursor: null });
    expect((await stage.call(`/v1/agents?sort=price&cursor=${first.next_cursor}`)).status).toBe(422);
    const key = stage.other.secret;
    expect((await stage.call(`/v1/agents?sort=name&cursor=${first.next_cursor}`, { key })).status).toBe(422);
  });

  test.each(['limit=0', 'sort=luck', 'max_cost_usd=-1', 'colour=red'])('with %s is 422', async (query) => {
    expect((await stage.call(`/v1/agents?${query}`)).status).toBe(422);
  });

  test.each(['/v1/agents/Test/x', '/v1/agents/test/a--b', '/v1/agents/-/x'])(
    'the name in %s is none: 422',
    async (path) => {
      expect((await stage.call(path)).status).toBe(422);
    },
  );
});

test('the quality card of an agent comes from its runs that have ended', async () => {
  const { rows } = await stage.db.pool.query(`select id from agents where namespace || '/' || slug = $1`, [
    names.cheap,
  ]);
  const endings = [
    { status: 'completed', subtotalNanos: 100n },
    { status: 'completed', subtotalNanos: 300n },
    { status: 'completed', subtotalNanos: 200n },
    { status: 'failed' },
    { status: 'cancelled' },
  ];
  for (const ending of endings) {
    const run = await makeRun(stage.db, stage.mine);
    await stage.asOwner('update runs set agent_id = $2, started_at = created_at where id = $1', [run.id, rows[0].id]);
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
