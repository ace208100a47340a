import { NumberInput, Slider } from '@mantine/core';
import { useId } from 'react';
import type { Limit } from './supported.ts';

/** A number by slider or by hand; empty leaves it to the model. */
export function SliderField({
  label,
  value,
  min,
  max,
  step,
  rest,
  limit,
  onChange,
}: {
  label: string;
  value: number | '';
  min: number;
  max: number;
  step: number;
  /** Where the slider rests while it is empty. */
  rest: number;
  /** Why it is not sent, or not to every model. */
  limit?: Limit | undefined;
  onChange: (value: number | '') => void;
}) {
  const id = useId();
  const isDisabled = limit?.isDisabled ?? false;
  return (
    <div className="slider-field" data-set={value === '' || isDisabled ? undefined : true}>
      <div className="slider-field-head">
        <label htmlFor={id}>{label}</label>
        <NumberInput
          id={id}
          size="xs"
          className="slider-field-number"
          placeholder="Default"
          disabled={isDisabled}
          aria-describedby={limit && `${id}-limit`}
          min={min}
          max={max}
          step={step}
          hideControls
          value={isDisabled ? '' : value}
          onChange={(next) => onChange(next === '' ? '' : Number(next))}
        />
      </div>
      <Slider
        size="xs"
        thumbSize={14}
        label={null}
        disabled={isDisabled}
        thumbLabel={`${label}, slider`}
        min={min}
        max={max}
        step={step}
        value={value === '' || isDisabled ? rest : Math.min(max, Math.max(min, value))}
        onChange={onChange}
      />
      {limit && (
        <p className="parameter-limit" id={`${id}-limit`}>
          {limit.reason}
        </p>
      )}
    </div>
  );
}
