import './cost.css';
import { Button, Group, Skeleton, Stack, TextInput } from '@mantine/core';
import { MagnifyingGlassIcon } from '@radix-ui/react-icons';
import { useState, type FormEvent } from 'react';
import type { Explanation } from '../api/shapes.ts';
import { TableFailure } from '../parts/DataTable.tsx';
import { DateTime } from '../parts/figures.tsx';
import { HeadlineMoney } from '../parts/Money.tsx';
import { PageHeader } from '../parts/PageHeader.tsx';
import { RowLink } from '../parts/RowLink.tsx';
import { useSearchState } from '../parts/useSearchState.ts';
import { CostChain } from './CostChain.tsx';
import { useExplanation } from './ExplainedCost.tsx';
import { LatestCharges } from './LatestCharges.tsx';
import { unitsText } from './units.ts';

export default function ExplainPage() {
  const [{ id }, set] = useSearchState();
  return (
    <>
      <PageHeader
        title="Explain a cent"
        description="Any amount, from its price to the signed statement. Paste an ID from a statement, a log or the ledger."
      />
      <Stack gap="lg">
        <IdForm key={id} from={id ?? ''} onSubmit={(next) => set({ id: next })} />
        {id ? <Explained id={id} /> : <LatestCharges />}
      </Stack>
    </>
  );
}

function IdForm({ from, onSubmit }: { from: string; onSubmit: (id: string) => void }) {
  const [value, setValue] = useState(from);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSubmit(value.trim());
  };
  return (
    <form onSubmit={submit}>
      <Group gap="xs">
        <TextInput
          aria-label="ID"
          placeholder="req_…, chatcmpl-…, resp_…, run_…, le_…, evt_…"
          leftSection={<MagnifyingGlassIcon />}
          required
          maw="34rem"
          className="grows"
          value={value}
          onChange={(event) => setValue(event.currentTarget.value)}
        />
        <Button type="submit">Explain</Button>
      </Group>
    </form>
  );
}

function Explained({ id }: { id: string }) {
  const explained = useExplanation(id);
  if (explained.error && !explained.data)
    return <TableFailure error={explained.error} retry={() => void explained.refetch()} />;
  if (!explained.data) return <Skeleton height={620} radius="lg" />;
  return (
    <section className="panel panel-padded" aria-label="Explanation">
      <Stack gap="lg">
        <Headline of={explained.data} />
        <div className="explained">
          <CostChain of={explained.data} />
          {explained.data.text && <p className="in-words">{explained.data.text}</p>}
        </div>
      </Stack>
    </section>
  );
}

function Headline({ of: { total_usd: total, request, run, model, agent, id } }: { of: Explanation }) {
  const to = request ? `/requests/${request.id}` : run && `/runs/${run.id}`;
  return (
    <div>
      <h2 className="headline-label">{model ?? agent ?? 'Amount'}</h2>
      <p className="headline">
        <HeadlineMoney usd={total} />
      </p>
      <p className="headline-note">
        {request?.usage.some(({ quantity }) => quantity > 0) && `${unitsText(request.usage)} · `}
        {to ? (
          <RowLink to={to}>
            <span className="id">{request?.id ?? run?.id}</span>
          </RowLink>
        ) : (
          <span className="id">{id}</span>
        )}
        {(request ?? run) && (
          <>
            {' · '}
            <DateTime at={request?.started_at ?? run?.created_at} />
          </>
        )}
      </p>
    </div>
  );
}
