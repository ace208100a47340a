import { afterAll, expect, test } from '@jest/globals';
import { Client } from 'pg';
import { ownerUrlOf } from '../../support/database.ts';
import { conversion, headersOf, requestsOf, sendSound, setAudioStage, transcription } from '../stages/audioStage.ts';
import type { Account } from '../stages/moneyStage.ts';

const creditNanos = 1_000_000_000n;
const stage = await setAudioStage({ apis: 1 });
afterAll(() => stage.close());

const speak = (url: string, account: Account, more: object = {}) =>
  fetch(`${url}/v1/audio/speech`, {
    method: 'POST',
    headers: { ...headersOf(account), 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'tts-1', voice: 'alloy', input: 'A few words.', response_format: 'pcm', ...more }),
  });

const inEvents = { ...transcription, fields: { ...transcription.fields, stream: 'true' } };

/** A client's part of an answer: its text, and whether it was cut off. */
async function outcomeOf(response: Response): Promise<{ status: number; text: string; isBroken: boolean }> {
  let text = '';
  try {
    for await (const part of response.body!.pipeThrough(new TextDecoderStream('latin1'))) text += part;
    return { status: response.status, text, isBroken: false };
  } catch {
    return { status: response.status, text, isBroken: true };
  }
}

test('audio whose bill is not on disk in time ends with an error, and is not billed', async () => {
  stage.voice.setScript({});
  const account = await stage.account({ balanceNanos: creditNanos });
  const [url] = stage.urls() as [string];
  // Its slice exists, so the measured calls need the database only for their bills.
  await (await speak(url, account)).arrayBuffer();
  const before = await requestsOf(stage, account);
  const owner = new Client({ connectionString: ownerUrlOf(stage.databaseUrl) });
  await owner.connect();
  await owner.query('begin');
  await owner.query('lock table settlement_batches in exclusive mode');
  const [spoken, spokenInEvents, converted, heardInEvents, heardWhole] = await Promise.all(
    [
      speak(url, account),
      speak(url, account, { stream_format: 'sse' }),
      sendSound(url, account, conversion, 1),
      sendSound(url, account, inEvents, 1),
      sendSound(url, account, transcription, 1),
    ].map(async (answer) => outcomeOf(await answer)),
  );
  await owner.query('commit');
  await owner.end();

  expect(spoken).toMatchObject({ status: 200, isBroken: true });
  expect(converted).toMatchObject({ status: 200, isBroken: true });
  for (const answer of [spokenInEvents!, heardInEvents!]) {
    expect(answer.text).toContain('"code":"overloaded"');
    expect(answer.text).not.toMatch(/"(speech\.audio|transcript\.text)\.done"/);
  }
  expect(heardWhole!.status).toBe(503);
  await stage.quiet(account.accountId);
  const billed = (await requestsOf(stage, account)).filter(({ id }) => !before.some((one) => one.id === id));
  expect(billed.filter(({ costNanos }) => costNanos > 0n)).toEqual([]);
  expect(await stage.balance(account)).toBe(creditNanos - before[0]!.costNanos);
});
