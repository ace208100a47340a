import { Button, Group, Text, TextInput } from '@mantine/core';
import { useState, type FormEvent } from 'react';
import { PageHeader } from '../parts/PageHeader.tsx';
import { useSearchState } from '../parts/useSearchState.ts';
import { ExplainedCost } from './ExplainedCost.tsx';

export default function ExplainPage() {
  const [{ id }, set] = useSearchState();
  return (
    <>
      <PageHeader
        title="Explain a cent"
        description="Any id of a bill, a log or a ledger, and where each nano of its cost comes from."
      />
      <IdForm key={id} from={id ?? ''} onSubmit={(next) => set({ id: next })} />
      {id && <ExplainedCost id={id} />}
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
      <Group align="flex-end" mb="lg">
        <TextInput
          label="Id"
          placeholder="req_…, chatcmpl-…, resp_…, run_…, le_…, evt_…"
          required
          maw="30rem"
          className="grows"
          value={value}
          onChange={(event) => setValue(event.currentTarget.value)}
        />
        <Button type="submit">Explain</Button>
      </Group>
      {from === '' && (
        <Text c="dimmed" size="sm">
          The id of an answer is in its header x-request-id, and in its body as id.
        </Text>
      )}
    </form>
  );
}
