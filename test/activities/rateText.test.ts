import { expect, test } from '@jest/globals';
import { rateText } from '../../activities/rateText.ts';

test.each([
  ['model_input_tokens', 0.0000003, 'model input $0.30 for 1M tokens'],
  ['model_output_tokens', 0.0000026, 'model output $2.60 for 1M tokens'],
  ['model_output_tokens', 0.000000000001, 'model output $0.000001 for 1M tokens'],
  ['sandbox_seconds', 0.00005, 'sandbox $0.00005 for each second'],
  ['tool_calls', 0.002, 'tool calls $0.002 for each call'],
] as const)('mails have a price of %s of %d as "%s"', (meter, usd, text) => {
  expect(rateText({ meter, price_usd: usd })).toBe(text);
});
