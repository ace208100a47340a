import { expect, test } from '@jest/globals';
import { type Running, supervise } from '../../../../ops/stack/process/supervise.ts';
import { until } from '../../../support/until.ts';

const delays = { firstMs: 1, maxMs: 4, steadyAfterMs: 60_000 };

/** A part that ends when the test decides. */
function makePart({ failures = 0 }: { failures?: number } = {}) {
  const starts: { end: (phrase: string) => void }[] = [];
  let attempts = 0;
  const start = async (): Promise<Running> => {
    attempts += 1;
    if (attempts <= failures) throw new Error('port 1 is taken');
    const exited = Promise.withResolvers<string>();
    starts.push({ end: exited.resolve });
    return { exited: exited.promise, stop: async () => exited.resolve('was ended by SIGTERM') };
  };
  return { part: { name: 'The part', start }, starts, attempts: () => attempts };
}

test('a part that ends is restarted, and the operator sees why', async () => {
  const { part, starts } = makePart();
  const reports: string[] = [];
  const supervised = supervise(part, (text) => reports.push(text), delays);
  await supervised.up;
  starts[0]!.end('was ended by SIGKILL');
  await until(() => starts.length === 2);
  await supervised.stop();
  expect(reports).toEqual(['The part was ended by SIGKILL; it is started again in 0.001 s', 'The part is up again']);
});

test('the delay doubles while a part keeps failing, up to its limit', async () => {
  const { part } = makePart({ failures: 4 });
  const reports: string[] = [];
  const supervised = supervise(part, (text) => reports.push(text), delays);
  await supervised.up;
  await supervised.stop();
  expect(reports.map((text) => /in ([\d.]+) s/.exec(text)?.[1])).toEqual(['0.001', '0.002', '0.004', '0.004']);
  expect(await supervised.failed).toMatchObject({ message: 'The part did not start: port 1 is taken' });
});

test('a stopped part is not restarted', async () => {
  const { part, attempts } = makePart();
  const reports: string[] = [];
  const supervised = supervise(part, (text) => reports.push(text), delays);
  await supervised.up;
  await supervised.stop();
  await supervised.stop();
  expect(attempts()).toBe(1);
  expect(reports).toEqual([]);
});

test('a stop during a start leaves nothing running', async () => {
  const opened = Promise.withResolvers<void>();
  const exited = Promise.withResolvers<string>();
  const start = async (): Promise<Running> => {
    await opened.promise;
    return { exited: exited.promise, stop: async () => exited.resolve('exited with code 0') };
  };
  const supervised = supervise({ name: 'The part', start }, () => {}, delays);
  const stopped = supervised.stop();
  opened.resolve();
  await stopped;
  expect(await exited.promise).toBe('exited with code 0');
});
