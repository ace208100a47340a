import { afterAll, describe, expect, test } from '@jest/globals';
import { newId } from '../../../db/ids.ts';
import { send } from '../../api/replay/replayStage.ts';
import { startApiProcess } from '../../support/startApi.ts';
import { chatBody, setMoneyStage } from '../stages/moneyStage.ts';

const tries = 300;

const stage = await setMoneyStage({
  apis: 2,
  start: (setting) => startApiProcess({ ...setting, databaseUrl: withoutPatience(setting.databaseUrl) }),
});
afterAll(() => stage.close());

/** The address with the product's time limits: the tests' limits are for machines that run many of them. */
function withoutPatience(databaseUrl: string): string {
  const url = new URL(databaseUrl);
  url.searchParams.delete('connect_timeout');
  return url.href;
}

type Answers = { status: number; text: string }[];

/** Sends the same request many times at once, alternating between this many nodes. */
const sendAll = (nodes: number, send: (url: string) => Promise<Response>): Promise<Answers> =>
  Promise.all(
    Array.from({ length: tries }, async (_, nth) => {
      const answer = await send(stage.urls()[nth % nodes]!);
      return { status: answer.status, text: await answer.text() };
    }),
  );

function expectOneAnswer(answers: Answers): void {
  const refused = answers.filter(({ status }) => status !== answers[0]!.status);
  expect(refused.map(({ status, text }) => `${status} ${text}`)).toEqual([]);
  expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
}

const account = () => stage.account({ creditUsd: '1', concurrencyLimit: 1_000, scopes: ['llm', 'agents'] });

describe.each([1, 2])('three hundred equal tries at once, at %i nodes', (nodes) => {
  test.each([
    ['with a key', { key: 'a-key-of-many' }],
    ['with the mark of a retry', { retries: 1 }],
  ])('are one call %s, whole and streamed', async (_, how) => {
    for (const stream of [false, true]) {
      const sender = await account();
      stage.upstream.reset();
      const body = chatBody({ text: 'Once for all. '.repeat(20), headDelayMs: 500, delayMs: 2 }, { stream });
      const answers = await sendAll(nodes, (url) => send(url, sender, { body, ...how }));
      expectOneAnswer(answers);
      expect(answers[0]!.status).toBe(200);
      expect(stage.upstream.calls()).toHaveLength(1);
      await stage.quiet(sender.accountId);
    }
  });

  test('are one upload', async () => {
    const sender = await account();
    const headers = { authorization: `Bearer ${sender.secret}`, 'idempotency-key': newId('test') };
    const answers = await sendAll(nodes, (url) => {
      const body = new FormData();
      body.set('purpose', 'user_data');
      body.set('file', new Blob(['one']), 'a.txt');
      return fetch(`${url}/v1/files`, { method: 'POST', headers, body });
    });
    expectOneAnswer(answers);
    const { rows } = await stage.db.pool.query('select id from files where workspace_id = $1', [sender.workspaceId]);
    expect(rows).toHaveLength(1);
  });
});
