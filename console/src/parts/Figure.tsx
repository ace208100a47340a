import { Skeleton, Text } from '@mantine/core';
import type { ReactNode } from 'react';

/** One number of a page, with its name above and what it is compared to below. */
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
    <div className={`panel panel-padded ${isWide ? 'figure-wide' : ''}`}>
      <Text size="sm" c="dimmed">
        {label}
      </Text>
      <div className="figure-value">{isLoading ? <Skeleton height={28} width={110} maw="100%" /> : value}</div>
      <Text size="sm" c="dimmed" component="div" mih={22}>
        {isLoading ? <Skeleton height={14} width={150} maw="100%" /> : children}
      </Text>
    </div>
  );
}
