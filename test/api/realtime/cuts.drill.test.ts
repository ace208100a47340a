import { afterAll, expect, test } from '@jest/globals';
import { balanceOf } from '../../support/account.ts';
import { setGuardStage } from '../../support/guardStage.ts';
import { flowSeed, seededRandom } from '../../support/random.ts';
import { until } from '../../support/until.ts';
import { socketAt } from '../../support/webSocket.ts';

const path = '/v1/realtime?model=gpt-realtime';
const CREDIT_NANOS = 10_000_000_000n;

const stage = await setGuardStage();
afterAll(() => stage.close());

const SENTENCE = 'One two three four. ';
// What may be under way when the connection breaks: a sentence that is sent, one that is spoken, and one that is written.
const UNDER_WAY = 3 * SENTENCE.length;

test(`a session cut at any of 20 frames bills its output once, and its holds end (seed ${flowSeed})`, async () => {
  const { secret: key, keyId, workspaceId } = await stage.account({ balanceNanos: CREDIT_NANOS });
  const text = JSON.stringify({ scripted: { text: SENTENCE.repeat(60), delayMs: 2 } });
  const item = { type: 'message', role: 'user', content: [{ type: 'input_text', text }] };
  const random = seededRandom(flowSeed);
  const heard: number[] = [];
  for (let at = 0; at < 20; at++) {
    const cut = 1 + Math.floor(random() * 60);
    const socket = await socketAt(stage.url, path, { key });
    socket.send({ type: 'conversation.item.create', item });
    socket.send({ type: 'response.create' });
    const frames = () => socket.events.filter(({ type }) => type.endsWith('audio.delta')).length;
    await until(() => frames() >= cut);
    socket.ws.terminate();
    const said = socket.events.filter(({ type }) => type === 'response.output_audio_transcript.delta');
    // The last sentence may have been under way.
    heard.push(said.slice(0, -1).reduce((sum, { delta }) => sum + (delta as string).length, 0));
  }
  const bills = async () => {
    await stage.db.ledger.posted();
    const { rows } = await stage.db.pool.query(
      'select usage, cost_nanos, status from requests where key_id = $1 order by started_at',
      [keyId],
    );
    return rows as { usage: Record<string, number>; cost_nanos: string; status: number }[];
  };
  await until(async () => (await bills()).length === 20);
  const all = await bills();
  for (const [at, { usage, status }] of all.entries()) {
    expect(status).toBe(499);
    expect(usage.output_characters ?? 0).toBeGreaterThanOrEqual(heard[at]!);
    expect(usage.output_characters ?? 0).toBeLessThanOrEqual(heard[at]! + UNDER_WAY);
  }
  const sum = all.reduce((total, { cost_nanos }) => total + BigInt(cost_nanos), 0n);
  expect(await balanceOf(stage.db, workspaceId)).toBe(CREDIT_NANOS - sum);
  const held = async () => {
    const { rows } = await stage.db.pool.query(
      `select count(*)::int as count from holds where state = 'open' and key_id = $1`,
      [keyId],
    );
    return rows[0].count as number;
  };
  await until(async () => (await held()) <= 1);
});
