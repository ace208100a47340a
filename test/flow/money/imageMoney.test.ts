import { afterAll, beforeEach, expect, test } from '@jest/globals';
import { ask, setMoneyStage } from '../stages/moneyStage.ts';
import { textModel } from '../../support/startApi.ts';

const stage = await setMoneyStage();
beforeEach(() => stage.upstream.reset());
afterAll(() => stage.close());

/** A picture of 300 KB, 1024 pixels wide and high: 765 tokens by OpenAI's rule. */
function picture(): string {
  const bytes = Buffer.alloc(300_000, 7);
  Buffer.from('89504e470d0a1a0a0000000d494844520000040000000400', 'hex').copy(bytes);
  return `data:image/png;base64,${bytes.toString('base64')}`;
}

const bodyWith = (url: string, stream: boolean) =>
  JSON.stringify({
    model: textModel,
    stream,
    messages: [
      {
        role: 'user',
        content: [
          { type: 'image_url', image_url: { url } },
          {
            type: 'text',
            text: JSON.stringify({ scripted: { usage: { prompt_tokens: 775, completion_tokens: 10 } } }),
          },
        ],
      },
    ],
  });

// The worst case of an answer is 0.0103 USD; by bytes, a picture's prompt would be 0.04.
test.each([false, true])('the hold of an image covers its tokens, not its bytes (streamed: %s)', async (stream) => {
  const account = await stage.account({ balanceNanos: 12_000_000n });
  const answer = await ask(stage.urls()[0]!, account.secret, bodyWith(picture(), stream));
  expect(answer.status).toBe(200);
  const { body } = stage.upstream.calls()[0]!;
  expect(body.max_completion_tokens).toBeUndefined();
  expect(body.messages).toEqual(JSON.parse(bodyWith(picture(), stream)).messages);
  await stage.quiet(account.accountId);
  expect(await stage.balance(account)).toBe(12_000_000n - 775n * 300n - 10n * 2_500n);
});
