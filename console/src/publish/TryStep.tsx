import { Stack } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { TryAgent } from '../agents/TryAgent.tsx';
import { Panel } from '../parts/Panel.tsx';
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
    <Stack gap="sm" className="draft-try">
      <Panel
        title="Try the draft"
        description="As it was saved last, at the platform’s cost. It counts in no statistic."
      >
        <TryAgent draftOf={agent.id} agent={tried(0, maximumUsd || DRAFT_USD_MAX)} onRun={onRun} />
      </Panel>
      {agent.private_deployment && (
        <Panel title="Try the private version" description="It runs in this workspace alone, at its price.">
          <TryAgent visibility="private" agent={tried(minimumUsd, maximumUsd)} onRun={onRun} />
        </Panel>
      )}
    </Stack>
  );
}

const inputOf = ({ input_schema: schema, tools }: Configuration) => ({
  text: !schema,
  data: Boolean(schema),
  files: tools.length > 0,
  accepted_media_types: [],
});
