import type { ComponentProps } from 'react';
import { Anchor, Autocomplete, Button, Group, PasswordInput, Select, SimpleGrid, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { answerOf, api } from '../api/client.ts';
import { useChange } from '../api/hooks.ts';
import { Form } from '../parts/Form.tsx';
import { Panel } from '../parts/Panel.tsx';
import { Probed } from './Probed.tsx';
import type { Probe, ProbeOrder, Starters, Vendor } from './shapes.ts';
import { VendorPrice } from './VendorPrice.tsx';

const OTHER = 'other';

interface Values {
  vendor: string;
  address: string;
  key: string;
  model: string;
}

// The fields of a row stand at one height, with or without a description.
const BELOW: ComponentProps<typeof TextInput>['inputWrapperOrder'] = ['label', 'input', 'description', 'error'];
const MODEL = { label: 'Model', required: true, inputWrapperOrder: BELOW };

/** A vendor's model by its key: probed first, then priced and sold. A changed field asks for a new probe. */
export function VendorModel({ starters }: { starters: Starters }) {
  const probe = useChange(
    (order: ProbeOrder) => answerOf(api.POST('/console/v1/catalog/starters/probe', { body: order })),
    {
      onError: () => {},
    },
  );
  const first = starters.vendors[0]!;
  const form = useForm<Values>({
    initialValues: { vendor: first.id, address: '', key: '', model: first.models[0]!.model },
    onValuesChange: () => probe.reset(),
  });
  const vendor = starters.vendors.find(({ id }) => id === form.values.vendor);
  const change = (id: string): void => {
    const next = starters.vendors.find((one) => one.id === id);
    form.setValues({ vendor: id, address: '', key: '', model: next?.models[0]?.model ?? '' });
  };
  const done = (): void => {
    form.setFieldValue('key', '');
    probe.reset();
  };
  const answered = probe.data?.ok ? probe.data : undefined;
  return (
    <Panel title="A vendor’s model" description="One call tries key and model. Nothing is kept before it has answered.">
      <Form error={probe.error} onSubmit={form.onSubmit((values) => probe.mutate(orderOf(values)))}>
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          <Select
            label="Vendor"
            data={[...starters.vendors.map(({ id, name }) => ({ value: id, label: name })), ANY]}
            allowDeselect={false}
            value={form.values.vendor}
            onChange={(id) => id && change(id)}
          />
          {!vendor && (
            <TextInput
              label="Address"
              data-param="base_url"
              placeholder="http://127.0.0.1:11434/v1"
              required
              {...form.getInputProps('address')}
            />
          )}
          <KeyField vendor={vendor} canSeal={starters.can_seal} input={form.getInputProps('key')} />
          <Autocomplete
            {...MODEL}
            data={vendor?.models.map(({ model }) => model) ?? []}
            description={vendor?.note ?? 'Its name at the vendor.'}
            {...form.getInputProps('model')}
            error={fault(probe.data, 'model')}
          />
        </SimpleGrid>
        <Group mt="md" gap="sm">
          <Button type="submit" variant={answered ? 'default' : 'filled'} loading={probe.isPending}>
            {answered ? 'Probe again' : 'Probe'}
          </Button>
          <Probed of={probe.data} isPending={probe.isPending} />
        </Group>
      </Form>
      {answered && (
        <VendorPrice
          key={JSON.stringify(form.values)}
          order={orderOf(form.values)}
          probe={answered}
          starters={starters}
          onDone={done}
        />
      )}
    </Panel>
  );
}

const ANY = { value: OTHER, label: 'Another address (vLLM, Ollama, …)' };

const fault = (probe: Probe | undefined, param: Probe['param']): boolean => probe?.param === param;

function KeyField({
  vendor,
  canSeal,
  input,
}: {
  vendor: Vendor | undefined;
  canSeal: boolean;
  input: ReturnType<ReturnType<typeof useForm<Values>>['getInputProps']>;
}) {
  return (
    <PasswordInput
      label="Key"
      data-param="api_key"
      autoComplete="off"
      disabled={!canSeal}
      required={vendor !== undefined && !vendor.has_key}
      inputWrapperOrder={BELOW}
      description={<KeyHelp vendor={vendor} canSeal={canSeal} />}
      visibilityToggleButtonProps={{ 'aria-label': 'Show the key' }}
      {...input}
    />
  );
}

function KeyHelp({ vendor, canSeal }: { vendor: Vendor | undefined; canSeal: boolean }) {
  if (!canSeal) return <>Set CATALOG_SECRETS_KEY to store keys here.</>;
  if (!vendor) return <>Empty where the address needs none.</>;
  return (
    <>
      {vendor.has_key ? 'Empty: the key that is stored for it. ' : 'Sealed, and never shown again. '}
      <Anchor href={vendor.keys_at} target="_blank" rel="noreferrer" inherit>
        Get a key
      </Anchor>
    </>
  );
}

function orderOf({ vendor, address, key, model }: Values): ProbeOrder {
  const place = vendor === OTHER ? { base_url: address } : { vendor: vendor as NonNullable<ProbeOrder['vendor']> };
  return { ...place, model: model.trim(), ...(key && { api_key: key }) };
}
