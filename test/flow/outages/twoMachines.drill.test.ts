import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { newId } from '../../../db/ids.ts';
import { describeWhen } from '../../support/needs.ts';
import { readEvents } from '../../support/streams.ts';
import {
  ask,
  chatBody,
  expectRefusals,
  sumOf,
  worstCaseNanos,
  type Account,
  type Answer,
} from '../stages/moneyStage.ts';
import { canBeThree, setTwoMachines, type TwoMachines } from './twoMachines.ts';

const describeWithMachines = describeWhen(canBeThree, 'root, iproute2, nftables and Valkey or Redis');

describeWithMachines('two machines with one database', () => {
  let stage: TwoMachines;

  beforeAll(async () => {
    stage = await setTwoMachines();
  });
  afterAll(() => stage?.close());

  const atBoth = <T>(count: number, act: (url: string) => Promise<T>): Promise<T[]> =>
    Promise.all(Array.from({ length: count }, (_, nth) => act(stage.urls()[nth % 2]!)));
  const statusesOf = (answers: Answer[]) => answers.map(({ status }) => status);

  test('serve a call each, and bill it once', async () => {
    const account = await stage.account();
    const answers = await atBoth(2, (url) => ask(url, account.secret, chatBody({ text: 'Hello.' })));
    expect(statusesOf(answers)).toEqual([200, 200]);
    await stage.quiet(account.accountId);
  });

  test("count a key's requests together", async () => {
    const account = await stage.account({ rpmLimit: 20 });
    const startedMs = performance.now();
    const answers = await atBoth(60, (url) => ask(url, account.secret, chatBody({ text: 'Hello.' })));
    const dripped = ((performance.now() - startedMs) * 20) / 60_000;
    const served = answers.filter(({ status }) => status === 200).length;
    expect(served).toBeGreaterThanOrEqual(20);
    expect(served).toBeLessThanOrEqual(20 + dripped);
    expect(new Set(answers.map(({ status, code }) => `${status} ${code ?? ''}`))).toEqual(
      new Set(['200 ', '429 rate_limit_exceeded']),
    );
    await stage.quiet(account.accountId);
  });

  test("count a key's open calls together", async () => {
    const account = await stage.account({ concurrencyLimit: 4 });
    const body = chatBody({ text: 'Late.', headDelayMs: 3_000 });
    const answers = await atBoth(12, (url) => ask(url, account.secret, body));
    const statuses = statusesOf(answers);
    expect(statuses.filter((status) => status === 200)).toHaveLength(4);
    expect(statuses.filter((status) => status === 429)).toHaveLength(8);
    await stage.quiet(account.accountId);
  });

  test('spend the last cents of a balance to the end, and never more', async () => {
    const user = newId('key');
    const body = chatBody({ text: 'word '.repeat(60), headDelayMs: 150 }, { max_tokens: 40, user });
    const creditNanos = worstCaseNanos(body, 40) * 10n;
    const account = await stage.account({ balanceNanos: creditNanos });
    const answers = await atBoth(64, (url) => ask(url, account.secret, body));
    expectRefusals(answers, ['insufficient_balance']);
    const served = answers.filter(({ status }) => status === 200);
    expect(served.length).toBeGreaterThanOrEqual(10);
    expect(stage.upstream.calls().filter((call) => call.body.user === user)).toHaveLength(served.length);
    await stage.quiet(account.accountId);
    expect(creditNanos - (await stage.balance(account))).toBe(sumOf(served.map(({ costNanos }) => costNanos)));
  });

  async function order(script: object) {
    const account = await stage.account();
    const callers = stage.callers(account, await stage.publish(account));
    const { run } = await callers[0]!.postPatiently('/v1/runs', callers[0]!.orderOf(script));
    return { account, callers, id: run!.id };
  }
  async function follow({ secret }: Account, id: string, machine: number) {
    const headers = { authorization: `Bearer ${secret}`, accept: 'text/event-stream' };
    const response = await fetch(`${stage.urls()[machine]}/v1/runs/${id}/events`, { headers });
    const events = [];
    for await (const event of readEvents(response)) events.push(event);
    return events;
  }

  test('both show the events of a run that was ordered at one of them', async () => {
    const { account, id } = await order({ text: 'word '.repeat(40), delayMs: 30 });
    const [own, other] = await Promise.all([follow(account, id, 0), follow(account, id, 1)]);
    expect(own.at(-1)).toMatchObject({ type: 'run.completed' });
    expect(other).toEqual(own);
    await stage.quiet(account.accountId);
  });

  test('a run that was ordered at one is cancelled at the other', async () => {
    const { account, callers, id } = await order({ text: 'word '.repeat(100), delayMs: 100 });
    const following = follow(account, id, 0);
    await callers[1]!.postPatiently(`/v1/runs/${id}/cancel`);
    expect((await following).at(-1)).toMatchObject({ type: 'run.cancelled' });
    await stage.quiet(account.accountId);
  });

  test('an idempotency key has one run, wherever the request is repeated', async () => {
    const account = await stage.account();
    const callers = stage.callers(account, await stage.publish(account));
    const headers = { 'idempotency-key': newId('test') };
    const body = callers[0]!.orderOf({ text: 'Once.' });
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, nth) => callers[nth % 2]!.postPatiently('/v1/runs', body, headers)),
    );
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    await stage.quiet(account.accountId);
    const { rows } = await stage.db.pool.query('select id from runs where workspace_id = $1', [account.workspaceId]);
    expect(rows).toEqual([{ id: answers[0]!.run!.id }]);
  });
});
