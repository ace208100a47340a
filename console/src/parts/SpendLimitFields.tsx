import { Group, NumberInput, Select } from '@mantine/core';
import type { GetInputPropsReturnType } from '@mantine/form';

/** A spend limit in US dollars, and the period after which it begins anew. */
export function SpendLimitFields({
  limit,
  period,
  isUnlimited,
}: {
  limit: GetInputPropsReturnType;
  period: GetInputPropsReturnType;
  isUnlimited: boolean;
}) {
  return (
    <Group grow align="flex-start">
      <NumberInput
        label="Spend limit"
        placeholder="No limit"
        prefix="$"
        min={0}
        decimalScale={2}
        hideControls
        {...limit}
      />
      <Select label="Resets" data={PERIODS} disabled={isUnlimited} allowDeselect={false} {...period} />
    </Group>
  );
}

const PERIODS = [
  { value: 'daily', label: 'Daily (UTC)' },
  { value: 'monthly', label: 'Monthly (UTC)' },
  { value: 'never', label: 'Never' },
];
