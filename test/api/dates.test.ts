import { afterAll, describe, expect, test } from '@jest/globals';
import { documentOf, routes } from '../support/everyRoute.ts';
import { setGuardStage, type ErrorBody } from '../support/guardStage.ts';

const { paths } = documentOf(routes);

const stage = await setGuardStage();
const key = (
  await stage.account({ creditUsd: '1', rpmLimit: 10_000, scopes: ['llm', 'voice', 'batch', 'publisher', 'manage'] })
).secret;
afterAll(() => stage.close());

type Parameter = { name?: string; in?: string; schema?: { type?: string; enum?: unknown[] } };
const isTime = /date|month|unix|range$|seconds|time$|_at$|since|until|expires|^from$|^to$/i;

/** Every date, month, time or range of days among the document's query parameters: by method, path and name. */
const found = Object.entries(paths).flatMap(([path, methods]) =>
  Object.entries(methods).flatMap(([method, operation]) =>
    ((operation.parameters ?? []) as Parameter[])
      .filter(({ in: place, name }) => place === 'query' && isTime.test(name!))
      // Lists of operators' routes parse times themselves (api/console/operations.ts); all others use timeRange.
      .filter(() => !path.startsWith('/console/'))
      .map(({ name }) => `${method} ${path} ${name}`),
  ),
);

const years = [
  '0000-01',
  '10000-01',
  '-001-01',
  '1999-12',
  '3000-01',
  '2026-00',
  '2026-13',
  '2026',
  '2026-1',
  'NaN',
  '',
];
const seconds = ['-1', '253402300800', '1.5', 'NaN', 'Infinity', '1e300', '9'.repeat(400), '2026-01-01', 'tomorrow'];
const days = ['2026', '2026-13-01', '2026-02-30', '10000-01-01', 'NaN', '1e300', '9'.repeat(40), 'yesterday', ''];
const wrong: Record<string, string[]> = { from: days, to: days, month: years, date_after_unix: seconds, date_before_unix: seconds, range: ['0d', '-7d', '10000d', 'NaN', '', '7D'] }; // prettier-ignore
const right: Record<string, string[]> = {
  month: ['2000-01', '2999-12'],
  date_after_unix: ['0', '253402300799'],
  date_before_unix: ['0', '253402300799'],
  range: ['7d', '30d', '90d'],
  from: ['2026-11-01', '2026-11-01T10:00:00Z'],
  to: ['2099-11-01', '2099-11-01T10:00:00.123+02:00'],
};

const refusedBy = async (response: Response) => {
  const { error } = (await response.json()) as ErrorBody;
  return { status: response.status, param: error.param, type: error.type };
};

const ranged = [
  'requests',
  'requests/totals',
  'usage',
  'usage/latency',
  'usage/errors',
  'billing/ledger',
  'billing/ledger/totals',
  'audit_log',
  'audit_log/download',
];

describe('dates in queries', () => {
  test('are exactly those of the document', () => {
    expect(found).toEqual([
      ...ranged.flatMap((name) => [
        `get /platform/v1/${name} from`,
        `get /platform/v1/${name} to`,
        ...(name === 'usage' ? ['get /platform/v1/usage/export month'] : []),
      ]),
      'get /platform/v1/billing/statement month',
      'get /v1/runs from',
      'get /v1/runs to',
      'get /v1/runs/totals from',
      'get /v1/runs/totals to',
      'get /v1/usage range',
      'get /voiceapi/v1/history date_after_unix',
      'get /voiceapi/v1/history date_before_unix',
      'get /v1/publisher/statement month',
      ...['runs', 'metrics'].flatMap((name) =>
        ['from', 'to'].map((end) => `get /v1/publisher/agents/{agent_id}/${name} ${end}`),
      ),
    ]);
  });

  test.each(found)('%s is refused by name outside its range, and accepted within', async (parameter) => {
    const [, template, name] = parameter.split(' ') as [string, string, string];
    const path = template.replace('{agent_id}', 'agent_0123456789abcdefghijkl');
    const get = (value: string) =>
      stage.ask(`${path}?${new URLSearchParams({ [name]: value }).toString()}`, { headers: { 'x-api-key': key } });
    for (const value of wrong[name]!) {
      const refused = await refusedBy(await get(value));
      expect({ value, ...refused }).toEqual({ value, status: 422, param: name, type: 'invalid_request_error' });
    }
    // An agent that does not exist is looked for once its query is right.
    const status = path === template ? 200 : 404;
    for (const value of right[name]!) expect({ value, status: (await get(value)).status }).toEqual({ value, status });
  });
});

const spans: [string, string, unknown[]][] = [
  ['/v1/runs', 'start_after_seconds', [-1, 604_801, 1.5, 1e300, '1']],
  ['/v1/runs', 'timeout_seconds', [0, -1, 86_401, 1.5, 1e300, 'NaN']],
];

test.each(spans)('the seconds of %s %s are refused by name outside their range', async (path, name, values) => {
  for (const value of values) {
    const body = JSON.stringify({ agent: 'a/b', input: 'Hi', [name]: value });
    const refused = await refusedBy(await stage.ask(path, { headers: { 'x-api-key': key }, body }));
    expect({ value, ...refused }).toEqual({ value, status: 422, param: name, type: 'invalid_request_error' });
  }
});

test.each([
  ['/textapi/v1/files', 400],
  ['/v1/files', 422],
])('the expiry seconds of a file of %s are refused by name outside their range', async (path, status) => {
  for (const value of ['3599', '2592001', '-1', '1.5', 'NaN', '9'.repeat(40), '2026-01-01']) {
    const form = new FormData();
    form.set('purpose', 'user_data');
    form.set('expires_after[anchor]', 'created_at');
    form.set('expires_after[seconds]', value);
    form.set('file', new Blob(['text']), 'a.txt');
    const response = await fetch(stage.api.url + path, { method: 'POST', headers: { 'x-api-key': key }, body: form });
    const refused = await refusedBy(response);
    expect({ value, ...refused }).toEqual({
      value,
      status,
      param: 'expires_after[seconds]',
      type: 'invalid_request_error',
    });
  }
});

describe('media types', () => {
  test('JSON lines are documented and served as application/jsonl', async () => {
    const { responses } = paths['/voiceapi/v1/text-to-speech/{voice_id}/stream/with-timestamps']!.post!;
    expect(Object.keys((responses[200] as { content: object }).content)).toEqual(['application/jsonl']);
    const response = await stage.ask('/voiceapi/v1/text-to-speech/alloy/stream/with-timestamps', {
      headers: { 'x-api-key': key },
      body: JSON.stringify({ text: 'Hi.' }),
    });
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/jsonl; charset=utf-8']);
    const lines = (await response.text()).trim().split('\n');
    expect(lines.every((line) => 'audio_base64' in (JSON.parse(line) as object))).toBe(true);
  });

  test('no answer is documented as newline-delimited JSON under another name', () => {
    expect(JSON.stringify(paths)).not.toMatch(/ndjson|json-lines|json-seq/);
  });

  test.each([
    ['application/json', 200, 'application/json'],
    ['text/event-stream', 200, 'text/event-stream'],
    ['text/html', 406, 'application/json'],
  ])('MCP answers a client that accepts only %s with %s', async (accept, status, type) => {
    expect(paths['/v1/mcp']!.post!.responses).toHaveProperty(String(status));
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
    const response = await stage.ask('/v1/mcp', { headers: { 'x-api-key': key, accept }, body });
    expect([response.status, response.headers.get('content-type')?.split(';')[0]]).toEqual([status, type]);
    expect(await response.text()).toContain(status === 200 ? '"result"' : '"error"');
  });
});
