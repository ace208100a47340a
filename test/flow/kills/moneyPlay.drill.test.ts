import { afterAll, expect, test } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { nanosOfUsd } from '../../../db/money.ts';
import { newId } from '../../../db/ids.ts';
import type { Script } from '../../../rules/scripted/script.ts';
import { balanceOf, makeAccount } from '../../support/account.ts';
import { flowSeed, seededRandom } from '../../support/random.ts';
import { startApiProcess } from '../../support/startApi.ts';
import { until } from '../../support/until.ts';
import { setKillStage, setProcess } from '../stages/killStage.ts';
import { chatBody, priceNanos, sumOf, type Account } from '../stages/moneyStage.ts';

// Fifteen minutes with `MONEY_PLAY_SECONDS=900`.
const PLAY_MS = Number(process.env.MONEY_PLAY_SECONDS ?? 60) * 1_000;
const CLIENTS = 16;
const PROMPT_TOKENS_MAX = 200;
const random = seededRandom(flowSeed);
const pick = <T>(all: readonly T[]): T => all[Math.floor(random() * all.length)]!;

const stage = await setKillStage({ killsDatabase: true, env: { RESUME_GRACE_MS: '100' } });
const other = await setProcess(() =>
  startApiProcess({ databaseUrl: stage.databaseUrl, upstreamUrl: stage.upstream.url }),
);
const victims = { ...stage.victims, other };
afterAll(async () => {
  await other.stop();
  await stage.close();
});

/** One call, and the least and most that it may have cost. `id`: undefined when no head of an answer came. */
interface Played {
  id: string | undefined;
  keyId: string;
  least: bigint;
  most: bigint;
}

const words = (count: number) => 'word '.repeat(count).trim();
const faults: Script[] = [
  {},
  {},
  { delayMs: 20 },
  { headDelayMs: 300 },
  { usage: null },
  { usage: { prompt_tokens: -5, completion_tokens: '12', total_tokens: 1e300 } },
  { status: 500 },
  { fault: 'endEarly' },
  { fault: 'reset', faultAfterChunks: 5 },
  { fault: 'halfClose', faultAfterChunks: 5 },
  { fault: 'errorFrame' },
  { fault: 'malformed' },
  { fault: 'noDone' },
];

/** Sends a random call, which its client may leave, and reads what it says of its cost. */
async function play(url: string, { secret, keyId }: Account): Promise<Played> {
  const count = 5 + Math.floor(random() * 60);
  const stream = random() < 0.6;
  const more = stream ? { stream, stream_options: { include_usage: true } } : {};
  const body = chatBody({ text: words(count), ...pick(faults) }, more);
  const most = priceNanos({ inputTokens: PROMPT_TOKENS_MAX, outputTokens: 2 * count + 10 });
  const leaving = new AbortController();
  if (random() < 0.2) setTimeout(() => leaving.abort(), random() * 800);
  const headers = { authorization: `Bearer ${secret}`, 'content-type': 'application/json' };
  let id: string | undefined;
  try {
    const response = await fetch(`${url}/v1/chat/completions`, {
      method: 'POST',
      headers,
      body,
      signal: leaving.signal,
    });
    id = response.headers.get('x-request-id') ?? undefined;
    if (!response.ok) {
      await response.text();
      return { id, keyId, least: 0n, most: 0n };
    }
    const cost = costIn(await response.text());
    return cost === undefined ? { id, keyId, least: 0n, most } : { id, keyId, least: cost, most: cost };
  } catch {
    return { id, keyId, least: 0n, most };
  }
}

/** The cost by the usage of a whole answer, or of a stream that ended well. */
function costIn(text: string): bigint | undefined {
  const found = /"prompt_tokens":(\d+),"completion_tokens":(\d+)/.exec(text);
  return found ? priceNanos({ inputTokens: Number(found[1]), outputTokens: Number(found[2]) }) : undefined;
}

async function killSome(endsMs: number): Promise<string[]> {
  const killed: string[] = [];
  const names = ['API', 'other', 'API', 'other', 'PostgreSQL'] as const;
  while (performance.now() < endsMs) {
    await sleep(3_000 + random() * 5_000);
    const name = names[killed.length % names.length]!;
    await victims[name].kill();
    await sleep(random() * 1_000);
    await startPatiently(() => victims[name].start());
    killed.push(name);
  }
  return killed;
}

/** Its start may fail because the database is just starting, too. */
async function startPatiently(start: () => Promise<void>): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await start();
    } catch (error) {
      if (tries === 5) throw error;
    }
  }
}

interface Row {
  id: string;
  key_id: string;
  cost_nanos: string;
}

test(`no call costs other than its client was told, whatever is killed or fails meanwhile (seed ${flowSeed})`, async () => {
  const daily = { spendLimitPeriod: 'daily' as const };
  const accounts: Account[] = await Promise.all([
    makeAccount(stage.db, { creditUsd: '100' }),
    makeAccount(stage.db, { creditUsd: '100', spendLimitNanos: 3_000_000n, ...daily }),
    makeAccount(stage.db, { balanceNanos: 1_000_000n }),
    makeAccount(stage.db, { balanceNanos: 1_000_000n, spendLimitNanos: 4_000_000n, ...daily }),
  ]);
  const credited = new Map(
    accounts.map(({ workspaceId }, at) => [workspaceId, at < 2 ? nanosOfUsd('100') : 1_000_000n]),
  );
  const played: Played[] = [];
  const endsMs = performance.now() + PLAY_MS;
  const killing = killSome(endsMs);
  const callers = Array.from({ length: CLIENTS }, async () => {
    while (performance.now() < endsMs) {
      played.push(await play(pick([stage.url(), other.latest().url]), pick(accounts)));
      await sleep(30 + random() * 100);
    }
  });
  const topUps = async () => {
    while (performance.now() < endsMs) {
      const { workspaceId } = accounts[2 + Math.floor(random() * 2)]!;
      const subject = newId('test');
      const payment = {
        kind: 'topup',
        subject,
        workspaceId,
        houseAccountId: 'payments',
        amountNanos: 300_000n,
      } as const;
      // A payment whose answer was lost is sent again, as its processor does.
      await until(
        () =>
          stage.db.ledger.transfer(payment).then(
            () => true,
            () => false,
          ),
        { timeoutMs: 60_000 },
      );
      credited.set(workspaceId, credited.get(workspaceId)! + payment.amountNanos);
      await sleep(400);
    }
  };
  const [killed] = await Promise.all([killing, topUps(), ...callers]);
  await until(
    async () => {
      for (const { accountId } of accounts) await stage.db.notices.send(stage.db.pool, { kind: 'scarce', accountId });
      return (await stage.db.pool.query(`select from holds where state = 'open'`)).rowCount === 0;
    },
    { timeoutMs: 120_000, pollMs: 200 },
  );
  await stage.db.ledger.posted();
  const { rows } = await stage.db.pool.query<Row>('select id, key_id, cost_nanos from requests');
  const costs = new Map(rows.map(({ id, cost_nanos: cost }) => [id, BigInt(cost)]));
  console.info(JSON.stringify({ seed: flowSeed, killed, calls: played.length, billed: rows.length }));

  const refunded = await refundedIds();
  const wrong = played.filter(({ id, least, most }) => {
    if (id === undefined) return false;
    const cost = costs.get(id) ?? 0n;
    return cost > most || (cost < least && !refunded.has(id));
  });
  expect(wrong.map(({ id, ...one }) => ({ id, ...one, cost: costs.get(id!) }))).toEqual([]);
  const known = new Set(played.map(({ id }) => id));
  const unknown = rows.filter(({ id, cost_nanos: cost }) => !known.has(id) && BigInt(cost) > 0n);
  expect(unknown.length).toBeLessThanOrEqual(played.filter(({ id }) => id === undefined).length);
  for (const { workspaceId, keyId } of accounts) {
    const spent = sumOf(rows.filter((row) => row.key_id === keyId).map((row) => BigInt(row.cost_nanos)));
    expect(await balanceOf(stage.db, workspaceId)).toBe(credited.get(workspaceId)! - spent);
  }
  const exact = played.filter(({ least, most }) => least === most && most > 0n);
  expect(exact.length).toBeGreaterThan(PLAY_MS / 1_000);
  await stage.expectQuiet();
}, 1_800_000);

/** Calls whose answers were refunded, because their process was killed before it had sent them. */
async function refundedIds(): Promise<Set<string>> {
  const { rows } = await stage.db.pool.query<{ id: string }>(
    `select subject as id from ledger_entries where kind = 'refund' and sequence is not null`,
  );
  return new Set(rows.map(({ id }) => id));
}
