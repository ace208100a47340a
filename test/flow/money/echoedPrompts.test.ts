import { afterAll, describe, expect, test } from '@jest/globals';
import { textModel } from '../../support/startApi.ts';
import { readJson } from '../../support/streams.ts';
import { setMoneyStage } from '../stages/moneyStage.ts';

const stage = await setMoneyStage();
afterAll(() => stage.close());
stage.upstream.script({ text: 'One two three.' });

const prompt = 'word '.repeat(400);
const account = await stage.account();

interface Part {
  choices: { index: number; text: string }[];
  usage?: { prompt_tokens: number; completion_tokens: number } | null;
}

async function complete(more: object): Promise<{ texts: string[]; usage: Part['usage'] }> {
  const response = await fetch(`${stage.urls()[0]}/v1/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${account.secret}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: textModel, prompt, echo: true, ...more }),
  });
  const text = await response.text();
  const parts = 'stream' in more ? readJson<Part>(text) : [JSON.parse(text) as Part];
  const texts: string[] = [];
  for (const { index, text: piece } of parts.flatMap(({ choices }) => choices))
    texts[index] = (texts[index] ?? '') + piece;
  return { texts, usage: parts.findLast(({ usage }) => usage)?.usage };
}

describe('an echoed prompt is no output', () => {
  test.each([
    ['whole', {}],
    ['streamed', { stream: true, stream_options: { include_usage: true } }],
  ])('it is sent whole, and neither cut nor billed as one: %s', async (_how, how) => {
    const told = await complete({ ...how, max_tokens: 300 });
    expect(told.texts).toEqual([`${prompt}One two three.`]);
    expect(told.usage).toMatchObject({ completion_tokens: 4 });
    const none = await complete({ ...how, max_tokens: 0 });
    expect(none.texts).toEqual([prompt]);
    expect(none.usage).toMatchObject({ completion_tokens: 0 });
    const several = await complete({ ...how, prompt: ['Hi there', prompt], n: 2, max_tokens: 2 });
    expect(several.texts).toEqual(['Hi thereOne two', 'Hi thereOne two', `${prompt}One two`, `${prompt}One two`]);
    expect(several.usage).toMatchObject({ completion_tokens: 8 });
  });

  test('of token numbers, whose text only the model knows, it is not billed as one either', async () => {
    const numbers = Array.from({ length: 400 }, () => 1_000);
    const { texts, usage } = await complete({ prompt: [numbers, numbers], n: 2, max_tokens: 300 });
    expect(texts.map((text) => text.endsWith('One two three.') && text.length > 400)).toEqual([true, true, true, true]);
    expect(usage).toMatchObject({ completion_tokens: 16 });
  });
});
