import { Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import { TryAgent } from '../agents/TryAgent.tsx';
import type { Configuration, PublisherAgent } from './configuration.ts';

// A draft without a price may cost this much.
const DRAFT_USD_MAX = 1;

/** The last step: runs of the draft, and of the private version once it exists. */
export function TryStep({ agent, draft }: { agent: PublisherAgent; draft: Configuration }) {
  const queries = useQueryClient();
  const { minimum_cost_usd: minimumUsd, maximum_cost_usd: maximumUsd } = draft.pricing;
  const tried = (leastUsd: number, mostUsd: number) => ({
    id: `${agent.namespace}/${agent.slug}`,
    input: inputOf(draft),
    input_schema: draft.input_schema ?? null,
    example_prompts: draft.example_prompts,
    pricing: { minimum_cost_usd: leastUsd, maximum_cost_usd: mostUsd },
  });
  const onRun = () => void queries.invalidateQueries({ queryKey: ['estimate'] });
  return (
    <div className="draft-try">
      <Part title="Try the draft" note="As last saved. The platform pays, and the run counts in no statistic.">
        <TryAgent draftOf={agent.id} agent={tried(0, maximumUsd || DRAFT_USD_MAX)} onRun={onRun} />
      </Part>
      {agent.private_deployment && (
        <Part title="Try the private version" note="Deployed in this workspace alone, at its price.">
          <TryAgent visibility="private" agent={tried(minimumUsd, maximumUsd)} onRun={onRun} />
        </Part>
      )}
    </div>
  );
}

const Part = ({ title, note, children }: { title: string; note: string; children: ReactNode }) => (
  <section aria-label={title}>
    <Title order={2}>{title}</Title>
    <Text size="xs" c="dimmed" mb="sm">
      {note}
    </Text>
    {children}
  </section>
);

const inputOf = ({ input_schema: schema, tools }: Configuration) => ({
  text: !schema,
  data: Boolean(schema),
  files: tools.length > 0,
  accepted_media_types: [],
});
