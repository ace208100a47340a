import { expect } from '@jest/globals';
import { nanosOfUsd } from '../../../db/money.ts';
import { startScripted } from '../../../rules/scripted/startScripted.ts';
import type { Script } from '../../../rules/scripted/script.ts';
import { estimatePromptTokens } from '../../../providers/metering/tokens.ts';
import { balanceOf, makeAccount } from '../../support/account.ts';
import { makeDatabase, openTestDatabase } from '../../support/database.ts';
import { expectSoundLedger } from '../../support/ledger.ts';
import { startApi, textModel, type ApiSetting, type RunningApi } from '../../support/startApi.ts';
import { until } from '../../support/until.ts';

// Prices of the test catalogue, in nano-USD.
const inputTokenNanos = 300n;
const outputTokenNanos = 2_500n;

export type MoneyStage<Api extends RunningApi = RunningApi> = Awaited<ReturnType<typeof setMoneyStage<Api>>>;
export type Account = Awaited<ReturnType<typeof makeAccount>>;

/**
 * APIs on one database, a scripted upstream that records its answers, and accounts. `start` is for a test that needs the APIs as processes.
 */
export async function setMoneyStage<Api extends RunningApi = RunningApi>({
  apis = 1,
  env = {},
  start = startApi as unknown as (setting: ApiSetting) => Promise<Api>,
  ...voice
}: {
  apis?: number;
  env?: Record<string, string>;
  start?: (setting: ApiSetting) => Promise<Api>;
  voiceUrl?: string;
  voiceProtocol?: 'openai' | 'elevenlabs';
  realtime?: ApiSetting['realtime'];
  catalog?: ApiSetting['catalog'];
} = {}) {
  const database = await makeDatabase();
  const db = await openTestDatabase({ url: database.url, spends: false });
  const upstream = await startScripted();
  const startOne = (more: Record<string, string> = {}) =>
    start({ databaseUrl: database.url, upstreamUrl: upstream.url, ...voice, env: { ...env, ...more } });
  const running: Api[] = await Promise.all(Array.from({ length: apis }, () => startOne()));
  const urls = () => running.map(({ url }) => url);

  return {
    db,
    upstream,
    urls,
    running,
    databaseUrl: database.url,
    startAnother: async (more?: Record<string, string>) => {
      const api = await startOne(more);
      running.push(api);
      return api;
    },
    account: (options?: Parameters<typeof makeAccount>[1]) => makeAccount(db, options),
    balance: (account: Account) => balanceOf(db, account.workspaceId),
    /** Adds credit to an account. */
    topUp: ({ workspaceId }: Account, subject: string, amountNanos: bigint) =>
      db.ledger.transfer({ kind: 'topup', subject, workspaceId, houseAccountId: 'payments', amountNanos }),
    /** Waits until nothing is held: calls have ended, and slices were returned. */
    async quiet(accountId: string): Promise<void> {
      const sql = `select from holds where account_id = $1 and state = 'open'`;
      const isQuiet = async () => {
        // Repeated, because a process whose database was down may not be listening yet.
        await db.notices.send(db.pool, { kind: 'scarce', accountId });
        await db.ledger.posted();
        return (await db.pool.query(sql, [accountId])).rowCount === 0;
      };
      await until(isQuiet, { pollMs: 20 });
      await expectSoundLedger(db);
    },
    async close(): Promise<void> {
      await Promise.all(running.map((api) => api.stop()));
      await upstream.stop();
      await db.close();
      await database.drop();
    },
  };
}

/** A chat request with a scripted answer, as text. */
export function chatBody(script: Script, more: object = {}): string {
  return JSON.stringify({
    model: textModel,
    messages: [{ role: 'user', content: JSON.stringify({ scripted: script }) }],
    ...more,
  });
}

/** The maximum cost of a request, as the API estimates it in advance. */
export function worstCaseNanos(body: string, outputTokensMax: number): bigint {
  const promptTokens = estimatePromptTokens(Buffer.byteLength(body));
  return BigInt(promptTokens) * inputTokenNanos + BigInt(outputTokensMax) * outputTokenNanos;
}

/** The price of the usage. */
export function priceNanos({ inputTokens, outputTokens }: { inputTokens: number; outputTokens: number }): bigint {
  return BigInt(inputTokens) * inputTokenNanos + BigInt(outputTokens) * outputTokenNanos;
}

export interface Answer {
  status: number;
  /** The code of an error. */
  code: string | undefined;
  costNanos: bigint;
  requestId: string;
  text: string;
}

/** Sends one chat request and reads its whole answer. */
export async function ask(url: string, secret: string, body: string, signal?: AbortSignal): Promise<Answer> {
  const response = await fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
    body,
    signal,
  });
  const text = await response.text();
  const code = response.ok ? undefined : (JSON.parse(text) as { error: { code: string } }).error.code;
  return {
    status: response.status,
    code,
    costNanos: nanosOfUsd(response.headers.get('x-cost-usd') ?? '0'),
    requestId: response.headers.get('x-request-id')!,
    text,
  };
}

export const sumOf = (amounts: bigint[]): bigint => amounts.reduce((sum, amount) => sum + amount, 0n);

/** Fails unless every refusal is a 402 of one of these codes, or a 429 because the money was held at that moment. */
export function expectRefusals(answers: Answer[], codes: string[]): void {
  const isExpected = ({ status, code }: Answer) =>
    status === 429 ? code === 'balance_held' : status === 402 && codes.includes(code!);
  expect(answers.filter((answer) => answer.status !== 200 && !isExpected(answer))).toEqual([]);
}

/**
 * Waits until the current progress of a key's running calls is stored: the next flush of each may already have begun, the one after that
 * has not. Renewals of the lease say less, because some store only what other calls have produced first.
 */
export async function untilFlushed({ db }: Pick<MoneyStage, 'db'>, { keyId }: Account): Promise<void> {
  const flushes = new Map<string, Set<number>>();
  const isKept = async () => {
    const { rows } = await db.pool.query<{ id: string; at: Date }>(PROGRESS, [keyId]);
    for (const { id, at } of rows) flushes.set(id, (flushes.get(id) ?? new Set()).add(at.getTime()));
    return rows.length > 0 && rows.every(({ id }) => flushes.get(id)!.size > 2);
  };
  await until(isKept, { pollMs: 20 });
}

const PROGRESS = `select request_id as id, updated_at as at from request_progress where settlement ->> 'key' = $1`;

/** Expires the leases of dead processes with money of these accounts, and sweeps until none of them is left. */
export async function sweepExpired({ db }: Pick<MoneyStage, 'db'>, accounts: Account[]): Promise<void> {
  const ids = [accounts.map(({ accountId }) => accountId)];
  const open = `select process_id from holds where state = 'open' and account_id = any ($1)`;
  await db.pool.query(`update processes set lease_until = now() where id in (${open})`, ids);
  await until(
    async () => {
      await db.ledger.reap();
      return (await db.pool.query(open, ids)).rowCount === 0;
    },
    { pollMs: 100 },
  );
}
