import { afterAll, expect, test } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { send } from '../../api/replay/replayStage.ts';
import { startStepped, stepClock } from '../../support/ownClock.ts';
import { startApiProcess } from '../../support/startApi.ts';
import { chatBody, setMoneyStage, type Account } from '../stages/moneyStage.ts';

const skewsMs = [0, 300, -300, 1_000, -1_000, 30_000, -30_000];
const pairsOfSkew = 72;
const gapMaxMs = 800;

const stage = await setMoneyStage({ start: startApiProcess });
await stage.startAnother(startStepped(skewsMs));
afterAll(() => stage.close());

/** The same request at both nodes, the second one delayed; every other pair begins at the node whose clock is off. */
async function sendPair(account: Account, name: string, nth: number) {
  const body = chatBody({ text: `Once: ${name}.`, headDelayMs: 50 + ((nth * 37) % 400) }, { stream: nth % 3 === 0 });
  const urls = nth % 2 === 0 ? stage.urls() : stage.urls().toReversed();
  const try_ = async (url: string, delayMs: number) => {
    await sleep(delayMs);
    const response = await send(url, account, { body, key: `pair-${name}` });
    return { status: response.status, id: response.headers.get('x-request-id'), text: await response.text() };
  };
  return Promise.all([try_(urls[0]!, 0), try_(urls[1]!, (nth * gapMaxMs) / (pairsOfSkew - 1))]);
}

test.each(skewsMs)('no keyed call runs twice on two nodes whose clocks are %i ms apart', async (skewMs) => {
  if (skewMs !== skewsMs[0]) await stepClock(stage.running[1]!);
  const account = await stage.account({ creditUsd: '100', concurrencyLimit: 1_000, rpmLimit: 100_000 });
  stage.upstream.reset();
  const pairs = await Promise.all(
    Array.from({ length: pairsOfSkew }, (_, nth) => sendPair(account, `${skewMs}-${nth}`, nth)),
  );
  const doubled = pairs.filter(([a, b]) => a.id !== b.id || a.text !== b.text || a.status !== 200);
  expect(doubled).toEqual([]);
  expect(stage.upstream.calls()).toHaveLength(pairsOfSkew);
  await stage.db.ledger.posted();
  const { rows } = await stage.db.pool.query('select count(*)::int as bills from requests where key_id = $1', [
    account.keyId,
  ]);
  expect(rows).toEqual([{ bills: pairsOfSkew }]);
  await stage.quiet(account.accountId);
});
