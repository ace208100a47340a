import { expect, test } from '@jest/globals';
import { createUpstreamHealth } from '../../providers/routing/upstreamHealth.ts';
import { ProviderError } from '../../providers/provider.ts';
import { noteOutcome, upstreamGauges } from '../../providers/upstreamOutcomes.ts';

const upstreams = new Map([
  ['first', {}],
  ['unused', {}],
]);
const [calls, refused] = upstreamGauges({ upstreams });
const countsOf = (upstream: string) =>
  Object.fromEntries(
    (calls!.read() as { labels: { upstream: string; outcome: string }; value: number }[])
      .filter(({ labels }) => labels.upstream === upstream)
      .map(({ labels, value }) => [labels.outcome, value]),
  );
// The process counts those of other test files too.
const isOwn = ({ labels }: { labels: object }) =>
  ['first', 'unused', 'removed'].includes((labels as { upstream: string }).upstream);

test('answers and failures of an upstream are counted by their cause; those of others are 0 from the start', () => {
  const health = createUpstreamHealth({ name: 'first', onOutcome: noteOutcome });
  health.answered();
  health.answered();
  health.failed(new ProviderError('stalled', 'nothing'));
  expect(countsOf('first')).toMatchObject({ answered: 2, stalled: 1, account: 0 });
  expect(new Set(Object.values(countsOf('unused')))).toEqual(new Set([0]));
  expect(
    refused!
      .read()
      .filter(isOwn)
      .map(({ value }) => value),
  ).toEqual([0, 0]);
});

test('a refused account is told of that upstream alone, and of one that the catalogue has lost too', () => {
  const health = createUpstreamHealth({ name: 'removed', onOutcome: noteOutcome });
  health.failed(new ProviderError('account', 'no credit'));
  expect(refused!.read().filter(isOwn)).toEqual([
    { labels: { upstream: 'first' }, value: 0 },
    { labels: { upstream: 'unused' }, value: 0 },
    { labels: { upstream: 'removed' }, value: 1 },
  ]);
});
