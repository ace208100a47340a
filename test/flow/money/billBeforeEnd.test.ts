import { afterAll, expect, test } from '@jest/globals';
import { Client } from 'pg';
import { ownerUrlOf } from '../../support/database.ts';
import { until } from '../../support/until.ts';
import { chatBody, setMoneyStage } from '../stages/moneyStage.ts';

const stage = await setMoneyStage();
afterAll(() => stage.close());

test('a stream does not end before its bill is on disk', async () => {
  const account = await stage.account({ creditUsd: '1' });
  const owner = new Client({ connectionString: ownerUrlOf(stage.databaseUrl) });
  await owner.connect();
  await owner.query('begin');
  await owner.query('lock table settlement_batches in exclusive mode');
  const headers = { authorization: `Bearer ${account.secret}`, 'content-type': 'application/json' };
  const body = chatBody({ text: 'A few words.' }, { stream: true });
  const response = await fetch(`${stage.urls()[0]}/v1/chat/completions`, { method: 'POST', headers, body });
  let received = '';
  const reading = (async () => {
    for await (const text of response.body!.pipeThrough(new TextDecoderStream())) received += text;
  })();
  const waits = `select from pg_locks where relation = 'settlement_batches'::regclass and not granted`;
  await until(async () => (await owner.query(waits)).rowCount === 1, { pollMs: 5 });
  // Data sent before this answer would have arrived before it.
  await fetch(`${stage.urls()[0]}/healthz`).then((answer) => answer.text());
  expect(received).toContain('words');
  expect(received).not.toContain('[DONE]');
  await owner.query('commit');
  await owner.end();
  await reading;
  expect(received).toContain('[DONE]');
  await stage.quiet(account.accountId);
});
