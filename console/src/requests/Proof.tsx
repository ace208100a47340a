import { Anchor, Button, Group, Skeleton } from '@mantine/core';
import { DownloadIcon } from '@radix-ui/react-icons';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { api, linkPath } from '../api/client.ts';
import { useAnswer } from '../api/hooks.ts';
import type { Explanation, Receipt } from '../api/shapes.ts';
import { TableFailure } from '../parts/DataTable.tsx';
import { DateTime } from '../parts/figures.tsx';
import { pageAt } from '../parts/pageAt.ts';
import { monthText } from '../usage/period.ts';

interface StepProps {
  title: string;
  tone?: 'good' | 'held';
  children: ReactNode;
}

/** The last step of a cost: the month's statement that has it, and whether it is under a signed root yet. */
export function Proof({ of: explained, step: Step }: { of: Explanation; step: (props: StepProps) => ReactNode }) {
  const receipt = useAnswer(['receipts', explained.id], (signal) =>
    api.GET('/platform/v1/receipts/{request_id}', { params: { path: { request_id: explained.id } }, signal }),
  );
  if (receipt.error || !receipt.data) {
    return (
      <Step title="Statement and proof">
        {receipt.error ? (
          <TableFailure error={receipt.error} retry={() => void receipt.refetch()} />
        ) : (
          <Skeleton height={64} />
        )}
      </Step>
    );
  }
  if (receipt.data.status === 'not_billed') {
    return (
      <Step title="Statement and proof">
        <p className="chain-note">Nothing was charged, so there is nothing to prove.</p>
      </Step>
    );
  }
  const isSigned = receipt.data.status === 'signed';
  return (
    <Step title="Statement and proof" tone={isSigned ? 'good' : 'held'}>
      <p className="chain-note">
        {isSigned ? (
          'Signed: the receipt leads from the entry to the published root of its day.'
        ) : (
          <Due of={receipt.data} />
        )}
      </p>
      <Group gap="xs">
        <Button
          component="a"
          size="xs"
          variant="default"
          leftSection={<DownloadIcon />}
          href={linkPath(`/platform/v1/receipts/${encodeURIComponent(receipt.data.id)}`)}
          download={`${receipt.data.id}.receipt.json`}
        >
          Download receipt
        </Button>
        <StatementLink of={explained} />
        <Anchor href="/docs/guides/bill-check" size="sm">
          How to verify
        </Anchor>
      </Group>
    </Step>
  );
}

function Due({ of: { entries } }: { of: Receipt }) {
  const due = entries
    .flatMap(({ due_at: at }) => (at ? [at] : []))
    .toSorted()
    .at(-1);
  return (
    <>
      Pending: the bill of that day is signed at <DateTime at={due} />. The receipt has its proof after that.
    </>
  );
}

function StatementLink({ of: { entries } }: { of: Explanation }) {
  const at = entries.at(0)?.created_at;
  if (!at) return null;
  const month = at.slice(0, 7);
  return (
    <Button component={Link} {...pageAt('/billing', { month })} size="xs" variant="default">
      Statement of {monthText(month)}
    </Button>
  );
}
