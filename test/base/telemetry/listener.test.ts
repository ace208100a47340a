import { afterEach, expect, test } from '@jest/globals';
import { openListener, type Listener } from '../../../base/telemetry/listener.ts';
import { openMetrics } from '../../../base/telemetry/metrics.ts';

let listener: Listener | undefined;
afterEach(() => listener?.close());

async function open(findFaults: () => Promise<string[]>) {
  const metrics = await openMetrics([
    { name: 'things', help: 'Things', labels: ['kind'], read: () => [{ labels: { kind: 'a' }, value: 3 }] },
    { name: 'broken', help: 'Fails', read: () => Promise.reject(new Error('away')) },
  ]);
  listener = await openListener({ host: '127.0.0.1', port: 0 }, { metrics, findFaults });
  const { port } = listener;
  const get = async (path: string) => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`);
    return { status: response.status, text: await response.text() };
  };
  return { metrics, get };
}

test('answers with metrics; what cannot be read is counted and hides nothing else', async () => {
  const { metrics, get } = await open(() => Promise.resolve([]));
  const answered = { method: 'POST', route: '/v1/x', status: 200, durationMs: 30, model: 'm', costUsd: 0.5 };
  metrics.count(answered);
  metrics.count({ ...answered, status: 500, costUsd: undefined });
  await get('/metrics');
  const { status, text } = await get('/metrics');
  expect(status).toBe(200);
  expect(text).toContain('things{kind="a"} 3');
  expect(text).toContain('ledgerline_http_requests_total{method="POST",route="/v1/x",status="200"} 1');
  expect(text).toContain('ledgerline_http_request_duration_seconds_bucket{le="0.05",route="/v1/x"} 2');
  expect(text).toContain('ledgerline_charged_usd_total{model="m"} 0.5');
  expect(text).toMatch(/ledgerline_metrics_failures_total\{gauge="broken"\} [12]/);
  expect(text).toContain('nodejs_eventloop_lag_p99_seconds');
});

test('what is not read in time is a failure, and does not delay the rest', async () => {
  const never = () => new Promise<never>(() => {});
  const metrics = await openMetrics([
    { name: 'late', help: 'Never answers', limitMs: 1, read: never },
    { name: 'tries_total', help: 'Tries', isCounter: true, read: () => [{ value: 7 }] },
  ]);
  expect(await metrics.text()).toMatch(/^# TYPE tries_total counter\ntries_total 7$/m);
  expect(await metrics.text()).toMatch(/ledgerline_metrics_failures_total\{gauge="late"\} [12]/);
});

test('a port that is taken is a sentence with the name of its variable', async () => {
  const { metrics } = await open(() => Promise.resolve([]));
  const second = openListener(
    { host: '127.0.0.1', port: listener!.port },
    { metrics, findFaults: () => Promise.resolve([]) },
  );
  await expect(second).rejects.toThrow(/^METRICS_PORT: port \d+ of 127\.0\.0\.1 is taken by another program/);
});

test('is ready while nothing is missing, and names what is', async () => {
  let faults: string[] = [];
  const { get } = await open(() => Promise.resolve(faults));
  expect(await get('/healthz')).toEqual({ status: 200, text: '{"status":"ok"}' });
  expect(await get('/readyz')).toEqual({ status: 200, text: '{"status":"ready"}' });
  faults = ['temporal'];
  expect(await get('/readyz')).toEqual({ status: 503, text: '{"status":"not_ready","faults":["temporal"]}' });
  expect(await get('/other')).toMatchObject({ status: 404 });
});
