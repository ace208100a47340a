import { NumberInput, Slider } from '@mantine/core';
import { useId } from 'react';

/** A number by slider or by hand; empty leaves it to the model. */
export function SliderField({
  label,
  value,
  min,
  max,
  step,
  rest,
  onChange,
}: {
  label: string;
  value: number | '';
  min: number;
  max: number;
  step: number;
  /** Where the slider rests while it is empty. */
  rest: number;
  onChange: (value: number | '') => void;
}) {
  const id = useId();
  return (
    <div className="slider-field" data-set={value === '' ? undefined : true}>
      <div className="slider-field-head">
        <label htmlFor={id}>{label}</label>
        <NumberInput
          id={id}
          size="xs"
          className="slider-field-number"
          placeholder="Default"
          min={min}
          max={max}
          step={step}
          hideControls
          value={value}
          onChange={(next) => onChange(next === '' ? '' : Number(next))}
        />
      </div>
      <Slider
        size="xs"
        thumbSize={14}
        label={null}
        thumbLabel={`${label}, slider`}
        min={min}
        max={max}
        step={step}
        value={value === '' ? rest : Math.min(max, Math.max(min, value))}
        onChange={onChange}
      />
    </div>
  );
}
