import { Button, NumberInput, Stack, Text, Textarea } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';
import { api, sendJson } from '../api/client.ts';
import { useChange, usePages } from '../api/hooks.ts';
import type { components } from '../api/openapi.d.ts';
import { Dialog } from '../parts/ConfirmDialog.tsx';
import { DataTable } from '../parts/DataTable.tsx';
import { DialogForm } from '../parts/DialogForm.tsx';
import { Ago, countText } from '../parts/figures.tsx';
import { Money } from '../parts/Money.tsx';
import { SearchField } from '../parts/SearchField.tsx';
import { useSearchState } from '../parts/useSearchState.ts';

type WorkspaceRow = components['schemas']['WorkspacePage']['data'][number];

/** The workspaces with their balances. An adjustment is requested here, and another operator approves it. */
export default function Workspaces() {
  const [{ query = '' }] = useSearchState();
  const [words] = useDebouncedValue(query, 200);
  const workspaces = usePages<WorkspaceRow>(['workspaces', words], (cursor, signal) =>
    api.GET('/console/v1/workspaces', {
      params: { query: { ...(words.trim() && { query: words.trim() }), limit: 50, cursor } },
      signal,
    }),
  );
  const [adjusted, setAdjusted] = useState<WorkspaceRow | null>(null);
  return (
    <Stack gap={0}>
      <div className="list-tools">
        <SearchField label="Search workspaces" hint="Search by name or ID" name="query" />
      </div>
      <DataTable<WorkspaceRow>
        label="Workspaces"
        from={workspaces}
        rowKey={({ id }) => id}
        empty="No matching workspaces."
        columns={[
          {
            title: 'Workspace',
            cell: ({ name, id }) => (
              <>
                <div className="cell-name">{name}</div>
                <div className="cell-sub id">{id}</div>
              </>
            ),
          },
          { title: 'Balance', isNumber: true, cell: ({ balance_usd: usd }) => Money({ usd, isRounded: true }) },
          {
            title: 'Held',
            isNumber: true,
            visibleFrom: 'sm',
            cell: ({ held_usd: usd }) => Money({ usd, isRounded: true }),
          },
          {
            title: 'This month',
            isNumber: true,
            visibleFrom: 'sm',
            cell: ({ spend_month_usd: usd }) => Money({ usd, isRounded: true }),
          },
          { title: 'Keys', isNumber: true, visibleFrom: 'md', cell: ({ keys }) => countText(keys) },
          { title: 'Members', isNumber: true, visibleFrom: 'lg', cell: ({ members }) => countText(members) },
          { title: 'Last used', visibleFrom: 'md', cell: ({ last_used_at: at }) => <Ago at={at} /> },
          {
            title: 'Adjust',
            isTitleHidden: true,
            cell: (row) => (
              <Button size="xs" variant="default" onClick={() => setAdjusted(row)}>
                Adjust<span className="for-readers"> the balance of {row.name}</span>
              </Button>
            ),
          },
        ]}
      />
      <Dialog title="Adjust a balance" isOpen={adjusted !== null} onClose={() => setAdjusted(null)}>
        {adjusted && <AdjustmentForm workspace={adjusted} onDone={() => setAdjusted(null)} />}
      </Dialog>
    </Stack>
  );
}

function AdjustmentForm({ workspace, onDone }: { workspace: WorkspaceRow; onDone: () => void }) {
  const [usd, setUsd] = useState<number | string>('');
  const [reason, setReason] = useState('');
  const ask = useChange(
    () => sendJson('/console/v1/adjustments', { workspace_id: workspace.id, amount_usd: Number(usd), reason }),
    {
      stale: [['adjustments']],
      done: 'Requested. Another operator approves it.',
      onSuccess: onDone,
      onError: () => {},
    },
  );
  return (
    <DialogForm
      submitLabel="Request approval"
      isPending={ask.isPending}
      isDisabled={!Number(usd) || !reason.trim()}
      error={ask.error}
      onSubmit={() => ask.mutate(undefined)}
    >
      <Text className="file-name">{workspace.name}</Text>
      <NumberInput
        label="Amount, US dollars"
        description="Negative to take away. Nothing changes until another operator approves it."
        prefix="$"
        decimalScale={9}
        hideControls
        required
        value={usd}
        onChange={setUsd}
      />
      <Textarea label="Reason" required value={reason} onChange={(event) => setReason(event.currentTarget.value)} />
    </DialogForm>
  );
}
