import './cost.css';
import { Skeleton, Stack } from '@mantine/core';
import { api } from '../api/client.ts';
import { useAnswer } from '../api/hooks.ts';
import { TableFailure } from '../parts/DataTable.tsx';
import { Panel } from '../parts/Panel.tsx';
import { CostChain } from './CostChain.tsx';

/** The explanation of a cost by the id of what caused it. */
export const useExplanation = (id: string) =>
  useAnswer(['explain', id], (signal) =>
    api.GET('/platform/v1/explain/{explained_id}', { params: { path: { explained_id: id } }, signal }),
  );

/** The origin of each nano of a cost, from its price to its proof. */
export function ExplainedCost({ id }: { id: string }) {
  const explained = useExplanation(id);
  if (explained.error && !explained.data)
    return <TableFailure error={explained.error} retry={() => void explained.refetch()} />;
  if (!explained.data) return <Skeleton height={460} radius="lg" />;
  return (
    <Panel title="Cost breakdown">
      <Stack>
        <CostChain of={explained.data} />
        {explained.data.text && <p className="in-words">{explained.data.text}</p>}
      </Stack>
    </Panel>
  );
}
