import { Select, type ComboboxItem, type OptionsFilter } from '@mantine/core';
import { CheckIcon } from '@radix-ui/react-icons';
import { useMemo } from 'react';
import { hasWords } from '../parts/hasWords.ts';
import { contextText, modelNamed, priceText, type Model } from './models.ts';

/** Chooses a model by search; each with its price, context, and what it takes. */
export function ModelPicker({
  models = [],
  value,
  isLabelled = false,
  isDisabled = false,
  onChange,
}: {
  models: Model[] | undefined;
  value: string;
  /** Whether its label is shown above it. */
  isLabelled?: boolean;
  isDisabled?: boolean;
  onChange: (id: string) => void;
}) {
  const filter = useMemo(() => filterOf(models), [models]);
  return (
    <Select
      className="model-picker"
      {...(isLabelled ? { label: 'Model' } : { 'aria-label': 'Model' })}
      data={models.map(({ id }) => id)}
      value={modelNamed(models, value)?.id ?? null}
      placeholder="Choose a model"
      searchable
      allowDeselect={false}
      disabled={isDisabled}
      maxDropdownHeight={420}
      nothingFoundMessage="No model matches"
      filter={filter}
      comboboxProps={{ width: 'min(26rem, calc(100vw - 2rem))', position: 'bottom-start', shadow: 'md' }}
      renderOption={({ option, checked }) => <Option model={modelNamed(models, option.value)} isChosen={checked} />}
      onChange={(id) => id && onChange(id)}
    />
  );
}

function Option({ model, isChosen }: { model: Model | undefined; isChosen: boolean | undefined }) {
  if (!model) return null;
  const facts = [contextText(model), model.architecture.input_modalities.join(' + ')];
  return (
    <div className="model-option">
      <span className="model-option-name">
        {model.id}
        {isChosen && <CheckIcon aria-hidden />}
      </span>
      <span className="model-option-price number">{priceText(model)}</span>
      <span className="model-option-facts">{facts.filter(Boolean).join(' · ')}</span>
    </div>
  );
}

/** Matches every word with the id, name, aliases and description. */
function filterOf(models: Model[]): OptionsFilter {
  return ({ options, search }) =>
    (options as ComboboxItem[]).filter(({ value }) => {
      // The chosen model in the field is no search.
      if (search === value) return true;
      const { id, name, aliases, description } = modelNamed(models, value)!;
      return hasWords([id, name, ...aliases, description].join(' '), search);
    });
}
