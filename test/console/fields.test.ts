import { describe, expect, test } from '@jest/globals';
import { fieldOf } from '../../console/src/parts/fieldNames.ts';
import { fieldAt, linesOf, valueAt } from '../../console/src/publish/fields.ts';

test('a place in a configuration has the name and the step of its field', () => {
  expect(fieldAt('/instructions')).toEqual({ label: 'Instructions', step: 'what', member: 'instructions' });
  expect(fieldAt('/example_prompts/1')).toMatchObject({ label: 'Example prompts, no. 2', step: 'what' });
  expect(fieldAt('/pricing/maximum_cost_usd')).toMatchObject({ label: 'Price, Max cost of a run', step: 'price' });
  expect(fieldAt('')).toMatchObject({ label: 'The whole agent', step: 'what', member: undefined });
});

test('its value is found by the pointer, and missing where there is none', () => {
  const configuration = { pricing: { rates: [{ meter: 'a/b' }] } };
  expect(valueAt(configuration, '/pricing/rates/0/meter')).toBe('a/b');
  expect(valueAt(configuration, '/pricing/least/0')).toBeUndefined();
  expect(valueAt({ 'a/b': 1 }, '/a~1b')).toBe(1);
});

test('values are lines for people, schemas stay JSON', () => {
  const pricing = { minimum_cost_usd: 0.01, rates: [{ meter: 'tool_calls', price_usd: 0.002 }] };
  expect(linesOf(pricing)).toBe('Min cost of a run: $0.01\nRates:\n  Tool calls: $0.002 / call');
  expect(linesOf(['read_file', 'draw_chart'])).toBe('read_file\ndraw_chart');
  expect(linesOf({ type: 'object' })).toBe('{\n  "type": "object"\n}');
});

test('prices are dollars, those of tokens by the million', () => {
  const rates = [
    { meter: 'model_input_tokens', price_usd: 3e-7 },
    { meter: 'sandbox_seconds', price_usd: 0.000_05 },
  ];
  expect(linesOf(rates, '/pricing/rates')).toBe('Input tokens: $0.30 / 1M tokens\nSandbox: $0.00005 / second');
  expect(linesOf(0.5, '/pricing/maximum_cost_usd')).toBe('$0.50');
  expect(linesOf(30, '/http_tools/0/timeout_seconds')).toBe('30');
});

describe('the field of a form that a refusal means', () => {
  const fields = [
    ['', 'name', '', 'Name *'],
    ['', 'spendLimit', '', 'Spend limit'],
    ['', 'rpm', '', 'Requests per minute'],
    ['', '', 'url', 'Address'],
    ['starts_at', 'from', '', 'First day'],
    ['', 'groupRoles.0.group', '', 'Group 1'],
    ['', 'groupRoles.1.group', '', 'Group 2'],
    ['住所', '', '', 'Address of the guest'],
  ];

  test.each([
    ['name', 0],
    ['spend_limit.usd', 1],
    ['limits.requests_per_minute', 2],
    ['url', 3],
    ['rows.0.starts_at', 4],
    ['group_roles.1.group', 6],
    ['data.住所.street', 7],
    ['event_types', -1],
    ['', -1],
  ])('%j is number %i', (path, at) => {
    expect(fieldOf(fields, path)).toBe(at);
  });
});
