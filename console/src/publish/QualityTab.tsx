import { SimpleGrid, Text } from '@mantine/core';
import { shareText } from '../agents/quality.ts';
import { api } from '../api/client.ts';
import { useAnswer } from '../api/hooks.ts';
import { Figure } from '../parts/Figure.tsx';
import { countText, durationText, Money } from '../parts/figures.tsx';
import type { PublisherAgent } from './configuration.ts';

/** The quality of the public agent over all callers, without their content. */
export function QualityTab({ agent: { namespace, slug, public_deployment: live } }: { agent: PublisherAgent }) {
  const quality = useAnswer(
    ['quality', `${namespace}/${slug}`],
    (signal) => api.GET('/v1/agents/{namespace}/{slug}/quality', { params: { path: { namespace, slug } }, signal }),
    { enabled: live?.status === 'active' },
  );
  if (live?.status !== 'active') return <Text c="dimmed">Quality is measured while the agent is public.</Text>;
  const { data, isLoading } = quality;
  const seconds = data?.median_duration_seconds;
  return (
    <SimpleGrid cols={{ base: 1, xs: 2, md: 3 }}>
      <Figure label="Completed" isLoading={isLoading} value={shareText(data?.completion_rate)}>
        of {countText(data?.runs ?? 0)} runs in {data?.days} days
      </Figure>
      <Figure label="Refunded" isLoading={isLoading} value={shareText(data?.refund_rate)} />
      <Figure label="Median cost" isLoading={isLoading} value={<Money usd={data?.median_cost_usd} />} />
      <Figure
        label="Median time"
        isLoading={isLoading}
        value={durationText(typeof seconds === 'number' ? seconds * 1000 : null)}
      />
    </SimpleGrid>
  );
}
