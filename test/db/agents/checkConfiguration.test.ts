import { expect, test } from '@jest/globals';
import { checkConfiguration, costFindings } from '../../../db/agents/configuration.ts';

const known = {
  models: new Set(['small']),
  tools: new Set(['run_code']),
  plugins: new Set(['maps@1']),
  iconFileIds: new Set(['file_icon']),
};
const sound = {
  name: 'Poet',
  description: 'Writes verses.',
  instructions: 'Write a verse.',
  tools: ['run_code'],
  plugins: [{ plugin_id: 'maps', version: '1' }],
  pricing: { minimum_cost_usd: 0.01, maximum_cost_usd: 1, rates: [{ meter: 'tool_calls', price_usd: 0.001 }] },
  icon_file_id: 'file_icon',
  categories: ['writing'],
  example_prompts: ['A verse about rain.'],
};
const findingsOf = (configuration: unknown) =>
  checkConfiguration(configuration, known).map(({ code, path }) => `${code} ${path}`);

test('a valid configuration has no issues', () => {
  expect(findingsOf(sound)).toEqual([]);
});

test('reports all issues at once', () => {
  const rate = { meter: 'tool_calls', price_usd: -1 };
  const wrong = {
    ...sound,
    name: '',
    tools: ['run_code', 'no_tool', 'run_code'],
    plugins: [{ plugin_id: 'maps', version: '2' }],
    pricing: { minimum_cost_usd: 2, maximum_cost_usd: 1, rates: [rate, rate] },
    icon_file_id: 'file_other',
    categories: ['Writing', 'verse', 'verse'],
    example_prompts: [],
  };
  expect(findingsOf(wrong).toSorted()).toEqual(
    [
      'duplicate /categories/2',
      'duplicate /pricing/rates/1/meter',
      'duplicate /tools/2',
      'invalid /categories/0',
      'invalid /example_prompts',
      'invalid /name',
      'invalid /pricing/minimum_cost_usd',
      'invalid /pricing/rates/0/price_usd',
      'invalid /pricing/rates/1/price_usd',
      'unknown_icon /icon_file_id',
      'unknown_plugin /plugins/0',
      'unknown_tool /tools/1',
    ].toSorted(),
  );
});

test('an empty configuration has each required member missing, and no other issue', () => {
  const missing = Object.keys(sound).map((name) => `invalid /${name}`);
  expect(findingsOf({}).toSorted()).toEqual(missing.toSorted());
});

test("a price below the platform's cost is reported with the least price; unpriced meters are sold at cost", () => {
  const rates = [
    { meter: 'tool_calls' as const, price_usd: 0 },
    { meter: 'model_input_tokens' as const, price_usd: 0.0000003 },
    { meter: 'model_output_tokens' as const, price_usd: 0.0000024 },
  ];
  const pricing = { minimum_cost_usd: 0, maximum_cost_usd: 1, rates };
  const costs = { model_input_tokens: 0.0000003, model_output_tokens: 0.0000025, sandbox_seconds: 0.00005 };
  expect(costFindings({ pricing }, costs)).toEqual([
    {
      severity: 'blocking',
      code: 'below_cost',
      path: '/pricing/rates/2/price_usd',
      message: expect.stringContaining('at least 0.0000025,'),
    },
  ]);
});
