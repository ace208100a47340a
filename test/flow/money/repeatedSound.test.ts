import { afterAll, expect, test } from '@jest/globals';
import type { Account } from '../stages/moneyStage.ts';
import { conversion, formOf, setAudioStage, transcription, voiceTranscription } from '../stages/audioStage.ts';

const creditNanos = 1_000_000_000n;
const stage = await setAudioStage({ apis: 2 });
afterAll(() => stage.close());

/** Sends the same request twice, to two APIs; fails unless the second answer equals the first, and there is one bill. */
async function expectRepeated(path: string, init: () => RequestInit, marks: Record<string, string>[]): Promise<void> {
  const account = await stage.account({ balanceNanos: creditNanos });
  const answers: Response[] = [];
  const bodies: Buffer[] = [];
  for (const [at, mark] of marks.entries()) {
    const { headers, ...rest } = init();
    const authorization = { authorization: `Bearer ${account.secret}` };
    const answer = await fetch(`${stage.urls()[at]}${path}`, {
      method: 'POST',
      ...rest,
      headers: { ...(headers as Record<string, string>), ...authorization, ...mark },
    });
    answers.push(answer);
    bodies.push(Buffer.from(await answer.arrayBuffer()));
  }
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  expect(bodies[0]!.length).toBeGreaterThan(0);
  expect(bodies[1]!.equals(bodies[0]!)).toBe(true);
  expect(answers.map(({ headers }) => headers.get('idempotent-replayed'))).toEqual([null, 'true']);
  for (const name of ['content-type', 'x-request-id', 'request-id'])
    expect([name, answers[1]!.headers.get(name)]).toEqual([name, answers[0]!.headers.get(name)]);
  expect(await billsOf(account)).toBe(1);
}

async function billsOf({ keyId }: Account): Promise<number> {
  await stage.db.ledger.posted();
  const sql = 'select count(*)::int as bills from requests where key_id = $1 and cost_nanos > 0';
  return (await stage.db.pool.query(sql, [keyId])).rows[0].bills as number;
}

const keyed = [{ 'idempotency-key': 'sound-once' }, { 'idempotency-key': 'sound-once' }];
const counted = [{ 'x-stainless-retry-count': '0' }, { 'x-stainless-retry-count': '1' }];
const json = (body: object) => () => ({
  body: JSON.stringify(body),
  headers: { 'content-type': 'application/json' },
});

test.each([
  ['an Idempotency-Key', keyed],
  ['a retry of a client', counted],
])('speech is paid for once with %s', async (_, marks) => {
  const body = { model: 'tts-1', voice: 'alloy', input: 'Say this once.', response_format: 'pcm' };
  await expectRepeated('/v1/audio/speech', json(body), marks);
});

test("speech of ElevenLabs' family is paid for once with an Idempotency-Key", async () => {
  const body = { text: 'Say this once.', model_id: 'eleven_multilingual_v2' };
  await expectRepeated('/voiceapi/v1/text-to-speech/alloy?output_format=pcm_24000', json(body), keyed);
});

// Each form has another boundary.
test.each([
  ['a transcription', transcription, counted],
  ['a transcription with a key', transcription, keyed],
  ["one of ElevenLabs' family", voiceTranscription, keyed],
  ['a conversion', conversion, keyed],
])('%s is paid for once', async (_, hearing, marks) => {
  await expectRepeated(hearing.path, () => ({ body: formOf(hearing, 2) }), marks);
});
