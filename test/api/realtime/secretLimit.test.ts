import { afterAll, expect, test } from '@jest/globals';
import { setGuardStage, type GuardStage } from '../../support/guardStage.ts';
import { until } from '../../support/until.ts';
import { socketAt } from '../../support/webSocket.ts';

const path = '/textapi/v1/realtime';
const SOCKETS = 25;
const LIMIT_NANOS = 10_000_000n;
const stage = await setGuardStage();
afterAll(() => stage.close());

type Account = Awaited<ReturnType<GuardStage['account']>>;

async function makeSecret({ secret }: Account): Promise<string> {
  const headers = { authorization: `Bearer ${secret}` };
  const body = JSON.stringify({ spend_limit_usd: Number(LIMIT_NANOS) / 1e9 });
  const made = await stage.ask(`${path}/client_secrets`, { headers, body });
  return ((await made.json()) as { value: string }).value;
}

async function spentBy({ workspaceId }: Account): Promise<bigint> {
  await stage.db.ledger.posted();
  const sql = 'select coalesce(sum(cost_nanos), 0) as nanos from requests where workspace_id = $1';
  return BigInt((await stage.db.pool.query(sql, [workspaceId])).rows[0].nanos as string);
}

test('sockets of one client secret spend no more than its limit, however many answer at once', async () => {
  // Each alone would cost a third of the limit.
  stage.upstream.script({ text: 'word '.repeat(1_400), delayMs: 1 });
  const account = await stage.account();
  const key = await makeSecret(account);
  const sockets = await Promise.all(Array.from({ length: SOCKETS }, () => socketAt(stage.url, path, { key })));
  const ended = sockets.map(async (socket) => {
    await socket.next('session.created');
    socket.send({ type: 'response.create', response: { output_modalities: ['text'] } });
    const isOver = ({ type }: { type: string }) => type === 'response.done' || type === 'error';
    await until(() => socket.events.some(isOver), { timeoutMs: 60_000 });
  });
  await Promise.all(ended);
  for (const { ws } of sockets) ws.close();
  await Promise.all(sockets.map(({ closed }) => closed));
  await until(async () => {
    const open = `select from holds where state = 'open' and kind = 'request'`;
    return (await stage.db.pool.query(open)).rowCount === 0;
  });
  const spent = await spentBy(account);
  expect(spent).toBeLessThanOrEqual(LIMIT_NANOS);
  expect(spent).toBeGreaterThan((LIMIT_NANOS * 8n) / 10n);
  const codes = sockets.flatMap(({ events }) =>
    events.filter(({ type }) => type === 'error').map(({ error }) => (error as { code: string }).code),
  );
  expect(new Set(codes)).toContain('client_secret_spend_limit_reached');
  expect(codes.filter((code) => code !== 'client_secret_spend_limit_reached' && code !== 'balance_held')).toEqual([]);
});
