import { Alert, Button, Skeleton, Stack, Text } from '@mantine/core';
import { api, consolePath } from '../api/client.ts';
import { useAnswer } from '../api/hooks.ts';
import type { Receipt as Proven } from '../api/shapes.ts';
import { TableFailure } from '../parts/DataTable.tsx';
import { DateTime } from '../parts/figures.tsx';
import { Panel } from '../parts/Panel.tsx';

/** Whether a request's cost is part of a signed root yet, and the file that proves it. */
export function Receipt({ id }: { id: string }) {
  const receipt = useAnswer(['receipts', id], (signal) =>
    api.GET('/platform/v1/receipts/{request_id}', { params: { path: { request_id: id } }, signal }),
  );
  return (
    <Panel title="Receipt" description="Proves what was charged, to anybody, without trusting this service.">
      {receipt.error && <TableFailure error={receipt.error} retry={() => void receipt.refetch()} />}
      {receipt.isLoading && <Skeleton height={80} />}
      {receipt.data && <State of={receipt.data} />}
    </Panel>
  );
}

function State({ of: receipt }: { of: Proven }) {
  if (receipt.status === 'not_billed') return <Text size="sm">Nothing was charged, so there is nothing to prove.</Text>;
  const due = receipt.entries
    .flatMap(({ due_at: at }) => (at ? [at] : []))
    .toSorted()
    .at(-1);
  return (
    <Stack align="flex-start">
      {due ? (
        <Alert color="gray">
          Pending: the bill of that day is signed at <DateTime at={due} />. The receipt has its proof after that.
        </Alert>
      ) : (
        <Text size="sm">Signed: the file leads from each entry to the published root of its day.</Text>
      )}
      <Button
        component="a"
        variant="default"
        href={consolePath(`/platform/v1/receipts/${encodeURIComponent(receipt.id)}`)}
        download={`${receipt.id}.receipt.json`}
      >
        Download the receipt
      </Button>
    </Stack>
  );
}
