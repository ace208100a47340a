import { afterAll, expect, test } from '@jest/globals';
import { setGuardStage } from '../../support/guardStage.ts';
import { until } from '../../support/until.ts';
import { socketAt } from '../../support/webSocket.ts';

const stage = await setGuardStage();
afterAll(() => stage.close());

test('a client that leaves while its response waits for money pays nothing, and is no failure in the log', async () => {
  const { secret, keyId } = await stage.account();
  const socket = await socketAt(stage.url, '/textapi/v1/realtime?model=gpt-realtime', { key: secret });
  await socket.next('session.created');
  socket.send({ type: 'session.update', session: { type: 'realtime', output_modalities: ['text'] } });
  await socket.next('session.updated');
  const lock = await stage.db.pool.connect();
  try {
    await lock.query('begin');
    await lock.query('lock table holds in exclusive mode');
    socket.send({ type: 'response.create' });
    const waiting = `select from pg_locks where not granted`;
    await until(async () => (await lock.query(waiting)).rowCount! > 0);
    socket.ws.terminate();
    await socket.closed;
  } finally {
    await lock.query('rollback');
    lock.release();
  }
  const bills = async () => {
    await stage.db.ledger.posted();
    return (await stage.db.pool.query('select status, cost_nanos from requests where key_id = $1', [keyId])).rows;
  };
  await until(async () => (await bills()).length > 0);
  expect(await bills()).toEqual([{ status: 499, cost_nanos: '0' }]);
  expect(stage.api.lines.filter((line) => line.includes('client disconnected'))).toEqual([]);
});
