import { describe, expect, test } from '@jest/globals';
import { observeOutput, runCheck, type PlainCheck } from '../../../activities/evaluations/checks.ts';
import { matchPattern } from '../../../activities/evaluations/matchPattern.ts';

const observed = { text: ' Rain on tin. ', data: undefined, tools: ['fetch_url'], costUsd: 0.02, durationSeconds: 3 };
const text = (
  operation: 'equals' | 'not_equals' | 'contains' | 'not_contains' | 'regex',
  reference: string,
  ignore_case = false,
) => ({ type: 'string_check', operation, reference, ignore_case }) as const;

describe('a check', () => {
  test.each<[PlainCheck, 'passed' | 'failed']>([
    [text('equals', 'Rain on tin.'), 'passed'],
    [text('equals', 'rain on tin.'), 'failed'],
    [text('equals', 'rain on tin.', true), 'passed'],
    [text('not_equals', 'Snow'), 'passed'],
    [text('contains', 'on tin'), 'passed'],
    [text('contains', 'SNOW', true), 'failed'],
    [text('not_contains', 'Snow'), 'passed'],
    [text('regex', 'r.in', true), 'passed'],
    [text('regex', '^Snow'), 'failed'],
    [{ type: 'tool_called', tool: 'fetch_url' }, 'passed'],
    [{ type: 'tool_called', tool: 'run_code' }, 'failed'],
    [{ type: 'cost', max_cost_usd: 0.02 }, 'passed'],
    [{ type: 'cost', max_cost_usd: 0.019 }, 'failed'],
    [{ type: 'latency', max_seconds: 3 }, 'passed'],
    [{ type: 'latency', max_seconds: 2.9 }, 'failed'],
    [{ type: 'json_schema', schema: { type: 'object', properties: {} } }, 'failed'],
  ])('%j is %s', async (check, status) => {
    expect((await runCheck(check, observed)).status).toBe(status);
  });

  test('says why in a text that can be stored, although it is cut within a character', async () => {
    const check = { type: 'string_check', operation: 'equals', reference: 'x', ignore_case: false } as const;
    const { message } = await runCheck({ ...check, reference: `x${'😀'.repeat(60)}` }, observed);
    expect(message.isWellFormed()).toBe(true);
    const schema = { type: 'object', properties: {}, additionalProperties: false };
    for (const first of ['', 'x']) {
      const data = { [`${first}${'😀'.repeat(600)}`]: 1 };
      const { message: fault } = await runCheck({ type: 'json_schema', schema }, { ...observed, data });
      expect([fault.isWellFormed(), fault.length]).toEqual([true, 1_001]);
    }
  });

  test('of data reads what the run returned, or the JSON in its text', async () => {
    const schema = { type: 'object', properties: { verse: { type: 'string' } }, required: ['verse'] };
    const check = (output: object[]) =>
      runCheck({ type: 'json_schema', schema }, { ...observed, ...observeOutput(output) });
    expect(await check([{ type: 'output_data', data: { verse: 'Rain.' } }])).toMatchObject({ status: 'passed' });
    expect(await check([{ type: 'output_text', text: '```json\n{"verse": "Rain."}\n```' }])).toMatchObject({
      status: 'passed',
    });
    expect(await check([{ type: 'output_data', data: { verse: 1 } }])).toMatchObject({
      status: 'failed',
      message: expect.stringContaining('verse'),
    });
  });
});

describe('a pattern', () => {
  test('that backtracks without end is stopped, and blocks nothing else', async () => {
    const slow = matchPattern(`${'a'.repeat(60)}!`, { pattern: '^(a+)+$', ignoresCase: false });
    expect(await matchPattern('Rain', { pattern: '^rain$', ignoresCase: true })).toBe(true);
    expect(await slow).toBe('too_slow');
  });

  test('that cannot be used is said to be invalid', async () => {
    expect(await matchPattern('Rain', { pattern: '(', ignoresCase: false })).toBe('invalid');
  });
});
