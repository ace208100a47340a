import { Skeleton } from '@mantine/core';
import type { ReactNode } from 'react';

/** The large number of a panel: its name above, what it is compared with below. */
export function Headline({
  label,
  value,
  note,
  isTight = false,
}: {
  label: ReactNode;
  value: ReactNode;
  note: ReactNode;
  /** Without room below it. */
  isTight?: boolean;
}) {
  return (
    <div className="panel-headline" data-tight={isTight || undefined}>
      <p className="headline-label">{label}</p>
      <p className="panel-headline-value">{value || <Skeleton height={28} width={140} my={4} />}</p>
      <p className="panel-headline-note">{note}</p>
    </div>
  );
}
