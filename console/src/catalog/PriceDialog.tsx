import { Alert, NumberInput, SegmentedControl, SimpleGrid, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDebouncedValue } from '@mantine/hooks';
import { answerOf, api } from '../api/client.ts';
import { sentenceOf } from '../api/failure.ts';
import { useAnswer, useChange } from '../api/hooks.ts';
import { Dialog } from '../parts/ConfirmDialog.tsx';
import { DialogForm } from '../parts/DialogForm.tsx';
import { Money } from '../parts/Money.tsx';
import type { CatalogModel } from './shapes.ts';
import { AmountInput } from './AmountInput.tsx';
import { orderedUnits, shownUsd, statedUsd } from './units.ts';
import { countOf } from '../parts/totals.tsx';

const PREVIEW_WAIT_MS = 300;

/** Proposes a price, with what the last 30 days would have cost. */
export function PriceDialog({ model, ...rest }: { model: CatalogModel; isOpen: boolean; onClose: () => void }) {
  return (
    <Dialog title={`Propose a price of ${model.id}`} size="lg" {...rest}>
      {rest.isOpen && <PriceForm model={model} onDone={rest.onClose} />}
    </Dialog>
  );
}

interface Values {
  from: 'own' | 'file';
  amounts: Record<string, number | ''>;
  batch: number | '';
  when: string;
  reason: string;
}

function PriceForm({ model, onDone }: { model: CatalogModel; onDone: () => void }) {
  const form = useForm<Values>({ initialValues: valuesOf(model) });
  const propose = useChange((values: Values) => send(model, values), {
    stale: [['catalog'], ['audit']],
    done: 'Proposed. Another operator approves it.',
    onSuccess: onDone,
    onError: () => {},
  });
  const { from } = form.values;
  const isOwn = from === 'own';
  const mayFollowFile = model.source !== 'added';
  return (
    <DialogForm
      submitLabel="Propose price"
      isPending={propose.isPending}
      error={propose.error}
      onSubmit={form.onSubmit((values) => propose.mutate(values))}
    >
      {mayFollowFile && (
        <SegmentedControl
          fullWidth
          aria-label="Price"
          data={[
            { value: 'own', label: 'Own price' },
            { value: 'file', label: 'Price of the file' },
          ]}
          {...form.getInputProps('from')}
        />
      )}
      {isOwn ? (
        <OwnPrice model={model} form={form} />
      ) : (
        <Text size="sm">The price of the catalogue file, as it is and will be, from the approval on.</Text>
      )}
      <TextInput
        label="Reason"
        description="For the operator who approves it."
        maxLength={500}
        {...form.getInputProps('reason')}
      />
    </DialogForm>
  );
}

function OwnPrice({ model, form }: { model: CatalogModel; form: ReturnType<typeof useForm<Values>> }) {
  const units = orderedUnits(model.units.map(({ unit }) => unit));
  const isRequired = (unit: string) => model.units.some((one) => one.unit === unit && one.is_required);
  const isBatched = model.kind === 'text' || model.kind === 'embedding';
  return (
    <>
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        {units.map((unit) => (
          <AmountInput
            key={unit}
            unit={unit}
            placeholder={isRequired(unit) ? undefined : 'As the rest of the prompt'}
            required={isRequired(unit)}
            {...form.getInputProps(`amounts.${unit}`)}
          />
        ))}
        {isBatched && (
          <NumberInput
            label="In a batch"
            placeholder="The same"
            suffix="% of that"
            min={1}
            max={100}
            allowDecimal={false}
            hideControls
            {...form.getInputProps('batch')}
          />
        )}
        <TextInput
          type="datetime-local"
          label="Holds from"
          description="Your time. Empty: from the approval."
          {...form.getInputProps('when')}
        />
      </SimpleGrid>
      <Preview model={model} values={form.values} />
    </>
  );
}

function Preview({ model, values }: { model: CatalogModel; values: Values }) {
  const [settled] = useDebouncedValue(values, PREVIEW_WAIT_MS);
  const isWhole = model.units.every(({ unit, is_required }) => !is_required || settled.amounts[unit] !== '');
  const body = { model: model.id, usd_per_million: statedOf(settled), batch_percentage: settled.batch || null };
  const preview = useAnswer(
    ['catalog', 'preview', body],
    (signal) => api.POST('/console/v1/catalog/prices/preview', { body, signal }),
    { enabled: isWhole, placeholderData: (before) => before },
  );
  const { data } = preview;
  if (preview.error) return <Alert color="red">{sentenceOf(preview.error)}</Alert>;
  const differs = data && data.charged_usd > 0 ? (data.would_usd / data.charged_usd - 1) * 100 : undefined;
  return (
    <div className="catalog-preview" role="status" aria-label="Preview">
      <Text size="xs" c="dimmed">
        {data
          ? `${countOf(data.requests, 'call')} of the last ${countOf(data.days, 'day')}`
          : 'The calls of the last 30 days'}
      </Text>
      <dl>
        <div>
          <dt>Cost</dt>
          <dd>
            <Money usd={data?.charged_usd} isRounded />
          </dd>
        </div>
        <div>
          <dt>Would have cost</dt>
          <dd>
            <Money usd={data?.would_usd} isRounded />
            {differs !== undefined && <span className="catalog-muted"> {changeText(differs)}</span>}
          </dd>
        </div>
      </dl>
    </div>
  );
}

const changeText = (percent: number): string => {
  const text = Math.abs(percent).toFixed(1);
  return text === '0.0' ? 'the same' : `${percent > 0 ? '+' : '−'}${text}%`;
};

function valuesOf({ price, units }: CatalogModel): Values {
  const amounts = units.map(({ unit }): [string, number | ''] => {
    const usd = price?.usd_per_million[unit];
    return [unit, usd === undefined ? '' : shownUsd(unit, usd)];
  });
  return {
    from: 'own',
    amounts: Object.fromEntries(amounts),
    batch: price?.batch_percentage ?? '',
    when: '',
    reason: '',
  };
}

/** The stated amounts, of the units that have one. */
function statedOf({ amounts }: Values): Record<string, number> {
  const stated = Object.entries(amounts).filter(([, usd]) => usd !== '');
  return Object.fromEntries(stated.map(([unit, usd]) => [unit, statedUsd(unit, Number(usd))]));
}

function send(model: CatalogModel, values: Values) {
  const { from, batch, when, reason } = values;
  const own = {
    usd_per_million: statedOf(values),
    batch_percentage: batch || null,
    ...(when && { holds_from: new Date(when).toISOString() }),
  };
  const body = {
    model: model.id,
    ...(from === 'own' ? own : { from_file: true as const }),
    ...(reason.trim() && { reason: reason.trim() }),
  };
  return answerOf(api.POST('/console/v1/catalog/prices', { body }));
}
