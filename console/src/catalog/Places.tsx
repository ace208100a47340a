import { Button, Group } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { answerOf, api } from '../api/client.ts';
import { useChange } from '../api/hooks.ts';
import { Dialog } from '../parts/ConfirmDialog.tsx';
import { DataTable, type Column } from '../parts/DataTable.tsx';
import { DialogForm } from '../parts/DialogForm.tsx';
import { countText, durationText } from '../parts/figures.tsx';
import { RULES } from './rules.ts';
import { Panel } from '../parts/Panel.tsx';
import { Status } from '../parts/Status.tsx';
import { AmountInput } from './AmountInput.tsx';
import { Amounts } from './Amounts.tsx';
import { percentText } from './CatalogModels.tsx';
import type { CatalogModel, Place } from './shapes.ts';
import { orderedUnits, shownUsd, statedUsd } from './units.ts';

/** Where a model is served, in the order in which the upstreams are tried: what each costs, and what remains. */
export function Places({ model }: { model: CatalogModel }) {
  const [costOf, setCostOf] = useState<Place>();
  const { upstreams } = model;
  const reorder = useChange(
    (places: Place[]) =>
      answerOf(
        api.PATCH('/console/v1/catalog/models/{catalog_model}', {
          params: { path: { catalog_model: model.id } },
          body: { upstreams: places.map(sentPlace) },
        }),
      ),
    { stale: [['catalog'], ['audit']], done: 'Order changed' },
  );
  if (upstreams.length === 0) return null;
  const first = (place: Place) => reorder.mutate([place, ...upstreams.filter((one) => one !== place)]);
  return (
    <Panel title="Upstreams" description={`${RULES[model.routing.by]} Costs are for operators alone.`}>
      <DataTable
        label="Upstreams"
        isStacked
        columns={[
          ...COLUMNS,
          {
            title: 'Actions',
            isTitleHidden: true,
            cell: (place) => (
              <Group gap={6} wrap="nowrap">
                <Button size="xs" variant="default" onClick={() => setCostOf(place)}>
                  State cost<span className="for-readers"> of {place.upstream}</span>
                </Button>
                {place !== upstreams[0] && (
                  <Button size="xs" variant="default" disabled={reorder.isPending} onClick={() => first(place)}>
                    Try first<span className="for-readers">: {place.upstream}</span>
                  </Button>
                )}
              </Group>
            ),
          },
        ]}
        from={{ rows: upstreams, error: null, isLoading: false }}
        rowKey={({ upstream, model: named }) => `${upstream} ${named}`}
        empty="It has no upstream."
      />
      <Dialog
        title={`What ${costOf?.upstream} charges`}
        isOpen={costOf !== undefined}
        onClose={() => setCostOf(undefined)}
      >
        {costOf && <CostForm model={model} place={costOf} onDone={() => setCostOf(undefined)} />}
      </Dialog>
    </Panel>
  );
}

/** What is sent of a place: the whole, as a list replaces the one before. */
const sentPlace = ({ upstream, model, weight, without, answers_as }: Place) => ({
  upstream,
  model,
  weight,
  without,
  answers_as,
});

const CIRCUITS = { closed: 'Healthy', open: 'Circuit open', half_open: 'On trial' };

const COLUMNS: Column<Place>[] = [
  {
    title: 'Upstream',
    cell: ({ upstream, model }) => (
      <span className="catalog-cell">
        <b className="nowrap">{upstream}</b>
        <span className="id">{model}</span>
      </span>
    ),
  },
  {
    title: 'State',
    cell: ({ is_disabled: isDisabled, is_healthy: isHealthy, circuit }) => {
      if (isDisabled) return <Status tone="quiet" word="Disabled" />;
      if (circuit && circuit.state !== 'closed')
        return <Status tone="bad" word={CIRCUITS[circuit.state]} title={circuit.reason?.replaceAll('_', ' ')} />;
      return <Status tone={isHealthy ? 'good' : 'bad'} word={isHealthy ? 'Healthy' : 'Down'} />;
    },
  },
  { title: 'Requests, 1 h', isNumber: true, visibleFrom: 'md', cell: (row) => countText(row.requests_last_hour) },
  {
    title: 'First byte, p95',
    isNumber: true,
    visibleFrom: 'lg',
    cell: ({ circuit }) => durationText(circuit?.first_byte_p95_ms ?? null),
  },
  { title: 'Weight', isNumber: true, visibleFrom: 'lg', cell: ({ weight }) => String(weight ?? 1) },
  { title: 'Cost', cell: ({ cost }) => Amounts({ of: cost?.usd_per_million }) },
  { title: 'Margin', isNumber: true, cell: (row) => percentText(row.margin_percentage) },
];

function CostForm({ model, place, onDone }: { model: CatalogModel; place: Place; onDone: () => void }) {
  const units = orderedUnits(model.units.map(({ unit }) => unit));
  const isRequired = (unit: string) => model.units.some((one) => one.unit === unit && one.is_required);
  const known = place.cost?.usd_per_million ?? {};
  const form = useForm<{ amounts: Record<string, number | ''> }>({
    initialValues: {
      amounts: Object.fromEntries(
        units.map((unit): [string, number | ''] => [
          unit,
          known[unit] === undefined ? '' : shownUsd(unit, known[unit]),
        ]),
      ),
    },
  });
  const state = useChange(
    ({ amounts }: typeof form.values) => {
      const stated = Object.entries(amounts).filter(([, usd]) => usd !== '');
      const usd = Object.fromEntries(stated.map(([unit, shown]) => [unit, statedUsd(unit, Number(shown))]));
      return answerOf(
        api.PUT('/console/v1/catalog/models/{catalog_model}/costs', {
          params: { path: { catalog_model: model.id } },
          body: { upstream: place.upstream, usd_per_million: usd },
        }),
      );
    },
    { stale: [['catalog'], ['audit']], done: 'Cost stated', onSuccess: onDone, onError: () => {} },
  );
  return (
    <DialogForm
      submitLabel="State cost"
      isPending={state.isPending}
      error={state.error}
      onSubmit={form.onSubmit((values) => state.mutate(values))}
    >
      {units.map((unit) => (
        <AmountInput key={unit} unit={unit} required={isRequired(unit)} {...form.getInputProps(`amounts.${unit}`)} />
      ))}
    </DialogForm>
  );
}
