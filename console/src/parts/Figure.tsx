import { Skeleton, Text } from '@mantine/core';
import type { ReactNode } from 'react';

/** Figures of one kind in one panel, with hairlines between them. */
export function Figures({ label, children }: { label?: string; children: ReactNode }) {
  return (
    <div className="figures" role={label ? 'group' : undefined} aria-label={label}>
      {children}
    </div>
  );
}

/** One number of a page inside of `Figures`: its name above, what it is compared with below. */
export function Figure({
  label,
  value,
  isLoading = false,
  isWide = false,
  children,
}: {
  label: string;
  value: ReactNode;
  isLoading?: boolean;
  /** Takes a row of its own on a phone. */
  isWide?: boolean;
  children?: ReactNode;
}) {
  return (
    <div className={isWide ? 'figure-wide' : undefined}>
      <Text size="xs" c="dimmed" fw={500}>
        {label}
      </Text>
      <div className="figure-value">{isLoading ? <Skeleton height={24} width={110} maw="100%" /> : value}</div>
      <Text size="xs" c="dimmed" component="div" mih={18}>
        {isLoading ? <Skeleton height={12} width={140} maw="100%" /> : children}
      </Text>
    </div>
  );
}
