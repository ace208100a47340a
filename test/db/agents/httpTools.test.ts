import { expect, test } from '@jest/globals';
import type { HttpToolSettings } from '../../../db/entities/agentJson.ts';
import { hostsOf, httpToolFaults, toolNamesOf } from '../../../db/agents/httpTools.ts';
import { checkConfiguration } from '../../../db/agents/configuration.ts';

const tool: HttpToolSettings = {
  name: 'find_order',
  description: 'Finds an order.',
  input_schema: { type: 'object', properties: {} },
  url: 'https://tools.example.com/orders',
};
const taken = new Set(['run_code', 'ask_user']);
const faultsOf = (tools: Partial<HttpToolSettings>[], known = { isSigned: true, loopback: false }) =>
  httpToolFaults(
    tools.map((one) => ({ ...tool, ...one })),
    known,
    taken,
  ).map(([code, path]) => `${code} ${path.join('.')}`);

test('a tool with a name of its own and a public https address has no fault', () => {
  expect(faultsOf([{}, { name: 'a-1' }, { name: 'B2', url: 'https://example.com:8443/?q=1' }])).toEqual([]);
});

test.each(['', '1st', 'a__b', 'with space', 'ends_', 'é', 'a.b'])('the name %j is refused', (name) => {
  expect(faultsOf([{ name }])).toEqual(['invalid http_tools.0.name']);
});

test.each(['run_code', 'ask_user', 'call_agent', 'unknown'])('the name %s of another tool is refused', (name) => {
  expect(faultsOf([{ name }])).toEqual(['duplicate http_tools.0.name']);
});

test('two tools of one name are refused', () => {
  expect(faultsOf([{}, {}])).toEqual(['duplicate http_tools.1.name']);
});

test.each([
  'tools/orders',
  'http://example.com/',
  'ftp://example.com/',
  'https://user:word@example.com/',
  'https://example.com/#part',
  'https://10.0.0.7/',
  'https://93.184.216.34/',
  'https://2130706433/',
  'https://[::1]/',
  'https://localhost/',
  'https://localhost./',
  'https://metadata.google.internal./',
  'https://intern/',
  'https://db.internal/',
  'https://printer.local/',
  'http://127.0.0.1:8080/',
])('the address %s is refused', (url) => {
  expect(faultsOf([{ url }])).toEqual(['invalid http_tools.0.url']);
});

test.each(['http://127.0.0.1:8080/', 'http://localhost:3000/', 'https://[::1]/'])(
  'in development %s is an address, and other private ones are not',
  (url) => {
    const known = { isSigned: true, loopback: true };
    expect(faultsOf([{ url }], known)).toEqual([]);
    expect(faultsOf([{ url: 'http://10.0.0.7/' }], known)).toEqual(['invalid http_tools.0.url']);
  },
);

test('tools without a signing secret are refused once', () => {
  const known = { isSigned: false, loopback: false };
  expect(faultsOf([{}, { name: 'other' }], known)).toEqual(['no_signing_secret http_tools']);
  expect(faultsOf([], known)).toEqual([]);
});

test('a configuration names all its tools and hosts, and the first call may be one of its own', () => {
  const http_tools = [tool, { ...tool, name: 'refund', url: 'https://tools.example.com/refunds' }];
  expect(toolNamesOf({ tools: ['run_code'], http_tools, agents: ['a/b'] })).toEqual([
    'run_code',
    'find_order',
    'refund',
    'call_agent',
  ]);
  expect(hostsOf({ http_tools })).toEqual(['tools.example.com']);
  expect(hostsOf({})).toEqual([]);
  const configuration = {
    name: 'Clerk',
    description: 'Finds orders.',
    instructions: 'Find orders.',
    tools: [],
    plugins: [],
    pricing: { minimum_cost_usd: 0, maximum_cost_usd: 1, rates: [{ meter: 'tool_calls', price_usd: 0 }] },
    icon_file_id: null,
    categories: ['orders'],
    example_prompts: ['Where is A-1?'],
    tool_choice: 'find_order',
    http_tools,
  };
  const none = new Set<string>();
  const known = { tools: none, plugins: none, models: none, iconFileIds: none };
  const httpTools = { isSigned: true, loopback: false };
  expect(checkConfiguration(configuration, { ...known, httpTools })).toEqual([]);
  const wrong = { ...configuration, http_tools: [{ ...tool, input_schema: { type: 'string' }, timeout_seconds: 601 }] };
  expect(checkConfiguration(wrong, { ...known, httpTools }).map(({ path }) => path)).toEqual(
    expect.arrayContaining(['/http_tools/0/input_schema/type', '/http_tools/0/timeout_seconds']),
  );
});
