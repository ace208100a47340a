import { afterAll, expect, test } from '@jest/globals';
import { errorOf, read, setRunRouteStage } from '../../support/runRouteStage.ts';

const stage = await setRunRouteStage();
const publisher = await stage.account({ scopes: ['llm', 'publisher'] });
const name = await stage.publish({}, publisher);
const { rows } = await stage.db.pool.query<{ id: string }>('select id from agents where workspace_id = $1', [
  publisher.workspaceId,
]);
const agent = { id: rows[0]!.id, name };
afterAll(() => stage.close());

interface Page {
  data: { id: string; reason: string }[];
  next_cursor: string | null;
}

const path = () => `/v1/publisher/agents/${agent.id}/feedback`;

async function say(reason: string, key: string): Promise<string> {
  const run = await stage.create({ agent: agent.name }, { key });
  const body = { outcome: 'partial', reason };
  await read(await stage.call(`/v1/runs/${run.id}/feedback`, { method: 'PUT', body, key }), 200);
  return run.id;
}

test('a publisher reads the feedback of callers in pages, without who they are, and not the own', async () => {
  const [mine, other] = [stage.mine.secret, stage.other.secret];
  const runs = [await say('First.', mine), await say('Second.', other), await say('Third.', mine)];
  await say('By the publisher.', publisher.secret);
  const key = publisher.secret;
  const first = await read<Page>(await stage.call(`${path()}?limit=2`, { key }), 200);
  expect(first.data.map(({ reason }) => reason)).toEqual(['Third.', 'Second.']);
  const rest = await read<Page>(await stage.call(`${path()}?limit=2&cursor=${first.next_cursor}`, { key }), 200);
  expect(rest.data).toEqual([
    {
      id: expect.stringMatching(/^fb_/),
      object: 'agent.feedback',
      outcome: 'partial',
      reason: 'First.',
      source: 'api',
      version: '2026-01-01',
      version_id: expect.stringMatching(/^aver_/),
      created_at: expect.stringMatching(/Z$/),
      updated_at: expect.stringMatching(/Z$/),
    },
  ]);
  const shown = JSON.stringify([first, rest]);
  for (const secret of [...runs, stage.mine.workspaceId, stage.other.workspaceId, stage.mine.keyId])
    expect(shown).not.toContain(secret);
});

test('is not there for another workspace', async () => {
  const key = (await stage.account({ scopes: ['llm', 'publisher'] })).secret;
  expect(await errorOf(await stage.call(path(), { key }))).toMatchObject({ status: 404, code: 'agent_not_found' });
});
