import { expect } from '@jest/globals';
import { chatBody, type Account, type MoneyStage } from '../../flow/stages/moneyStage.ts';
import type { Script } from '../../../rules/scripted/script.ts';
import { until } from '../../support/until.ts';

export const creditNanos = 1_000_000_000n;

/** How one try of a request is sent. */
export interface Sending {
  body: string;
  /** How often the client has tried before; undefined: it does not say. */
  retries?: number;
  key?: string;
  path?: string;
  signal?: AbortSignal;
}

/** Sends one try, as OpenAI's clients do. */
export function send(
  url: string,
  { secret }: Account,
  { body, retries, key, path = '/v1/chat/completions', signal }: Sending,
): Promise<Response> {
  const headers = {
    authorization: `Bearer ${secret}`,
    'content-type': 'application/json',
    ...(retries !== undefined && { 'x-stainless-retry-count': String(retries) }),
    ...(key !== undefined && { 'idempotency-key': key }),
  };
  return fetch(`${url}${path}`, { method: 'POST', headers, body, signal });
}

/** Resumes the stream of a request. */
export const resume = (
  url: string,
  { secret }: Account,
  requestId: string,
  { after, signal }: { after?: number | string; signal?: AbortSignal } = {},
): Promise<Response> =>
  fetch(`${url}/platform/v1/requests/${requestId}/stream`, {
    headers: { authorization: `Bearer ${secret}`, ...(after !== undefined && { 'last-event-id': String(after) }) },
    signal,
  });

/** A chat request that streams this text in words. */
export const streamBody = (text: string, more: Partial<Script> = {}): string =>
  chatBody({ text, ...more }, { stream: true });

/** The events of a stream as they were sent, without ids and comments. */
export const eventsIn = (text: string): string[] =>
  text
    .split('\n\n')
    .map((frame) => frame.replaceAll(/^(id|retry):.*\n/gm, ''))
    .filter((frame) => frame.includes('data:'));

/** The ids in a resumed stream. */
export const idsIn = (text: string): number[] => [...text.matchAll(/^id: (\d+)$/gm)].map(([, id]) => Number(id));

/** The paid requests of an account: their ids, status and cost. */
export async function billsOf(stage: MoneyStage, { keyId }: Account) {
  await stage.db.ledger.posted();
  const sql = 'select id, status, cost_nanos from requests where key_id = $1 and cost_nanos > 0 order by settled_at';
  return (await stage.db.pool.query<{ id: string; status: number; cost_nanos: string }>(sql, [keyId])).rows;
}

/** Fails unless the account has paid for exactly one call, which has succeeded. */
export async function expectOneBill(stage: MoneyStage, account: Account): Promise<string> {
  const bills = await billsOf(stage, account);
  expect(bills).toMatchObject([{ status: 200 }]);
  expect(await stage.balance(account)).toBe(creditNanos - BigInt(bills[0]!.cost_nanos));
  return bills[0]!.id;
}

/** Waits until the end of a stream's parts is stored. */
export async function untilStored({ db }: MoneyStage, requestId: string): Promise<void> {
  const sql = `select from answer_parts where request_id = $1 and state <> 'open'`;
  await until(async () => (await db.pool.query(sql, [requestId])).rowCount === 1);
}
