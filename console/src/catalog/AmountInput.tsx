import { NumberInput, type NumberInputProps } from '@mantine/core';
import { shownUnit } from './units.ts';

/** The input of a unit's amount, in the size in which people know its price. */
export function AmountInput({ unit, ...input }: NumberInputProps & { unit: string }) {
  const { label, per } = shownUnit(unit);
  return <NumberInput label={`${label}, for ${per}`} prefix="$" min={0} decimalScale={6} hideControls {...input} />;
}
