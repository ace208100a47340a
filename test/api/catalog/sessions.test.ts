import { afterAll, expect, test } from '@jest/globals';
import { ratesIn } from '../../../db/catalog/prices.ts';
import { costNanosOf } from '../../../db/money.ts';
import { read } from '../../support/http.ts';
import { until } from '../../support/until.ts';
import { socketAt } from '../../support/webSocket.ts';
import { setCatalogStage } from './catalogStage.ts';

const model = 'ledgerline-realtime-1';
const usd = { audio_minutes: 9_000, output_tokens: 40, output_characters: 50 };

const stage = await setCatalogStage();
afterAll(() => stage.close());

interface Billed {
  usage: Record<string, number>;
  costNanos: string;
  rates: Record<string, string>;
  isNew: boolean;
}

const BILLED = `
select q.usage, q.cost_nanos::text as "costNanos", p.rates, q.started_at >= c.valid_from as "isNew"
from requests q join model_prices p on p.id = q.price_id cross join catalog_prices c
where q.workspace_id = $1 and c.id = $2 and q.usage ? 'output_tokens' order by q.started_at`;

test('each response of a session costs what held when it began', async () => {
  const { secret, workspaceId } = await stage.account({ creditUsd: '10' });
  const socket = await socketAt(stage.url, '/v1/realtime?model=gpt-realtime', { key: secret });
  await socket.next('session.created');
  const session = { type: 'realtime', output_modalities: ['text'], audio: { input: { turn_detection: null } } };
  socket.send({ type: 'session.update', session });
  await socket.next('session.updated');
  const responses = () => socket.events.filter(({ type }) => type === 'response.done').length;
  const answer = async () => {
    const before = responses();
    socket.send({ type: 'response.create' });
    await until(() => responses() > before);
  };
  await answer();
  const { id } = await stage.propose(usd, { model });
  await read(stage.decide(id, 'approve'));
  await until(async () => (await stage.model(model)).price!.id === id);
  await answer();
  socket.ws.close();
  await stage.db.ledger.posted();
  const { rows } = await stage.db.pool.query<Billed>(BILLED, [workspaceId, id]);
  expect(rows.map(({ isNew, rates }) => [isNew, rates.output_tokens])).toEqual([
    [false, '2500000'],
    [true, '40000000'],
  ]);
  for (const { usage, costNanos, rates } of rows) expect(costNanos).toBe(`${costNanosOf(usage, ratesIn(rates))}`);
});
