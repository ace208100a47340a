import { PasswordInput, Select, Switch, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { answerOf, api } from '../api/client.ts';
import { useChange } from '../api/hooks.ts';
import type { components } from '../api/openapi.d.ts';
import { Dialog } from '../parts/ConfirmDialog.tsx';
import { DialogForm } from '../parts/DialogForm.tsx';
import type { CatalogUpstream } from './shapes.ts';
import { ChangedMembers, ReturnButton } from './Source.tsx';

const PROTOCOLS: Record<Exclude<CatalogUpstream['protocol'], 'embedded'>, string> = {
  openai: 'OpenAI',
  elevenlabs: 'ElevenLabs',
};

interface DialogProps {
  of: CatalogUpstream | 'new' | undefined;
  canSeal: boolean;
  onClose: () => void;
}

/** Adds an upstream, or changes one. Its key is never shown again. */
export function UpstreamDialog({ of, canSeal, onClose }: DialogProps) {
  const known = of === 'new' ? undefined : of;
  return (
    <Dialog title={known ? `Change ${known.id}` : 'Add upstream'} isOpen={of !== undefined} onClose={onClose}>
      {of && <UpstreamForm key={known?.id ?? 'new'} known={known} canSeal={canSeal} onDone={onClose} />}
    </Dialog>
  );
}

const valuesOf = (known: CatalogUpstream | undefined) => ({
  id: known?.id ?? '',
  protocol: known?.protocol ?? 'openai',
  base_url: known?.base_url ?? '',
  api_key: '',
  batches: known?.batches ?? false,
  keepsNothing: known?.retention === 'none',
  region: known?.region ?? '',
  isTried: !known?.is_disabled,
});

type Values = ReturnType<typeof valuesOf>;

function UpstreamForm({
  known,
  canSeal,
  onDone,
}: {
  known: CatalogUpstream | undefined;
  canSeal: boolean;
  onDone: () => void;
}) {
  const form = useForm<Values>({ initialValues: valuesOf(known) });
  const save = useChange((values: Values) => send(known, values), {
    stale: [['catalog'], ['upstreams'], ['audit']],
    done: known ? 'Upstream changed' : 'Upstream added',
    onSuccess: onDone,
    onError: () => {},
  });
  const isEmbedded = known?.protocol === 'embedded';
  return (
    <DialogForm
      submitLabel={known ? 'Save' : 'Add upstream'}
      isPending={save.isPending}
      error={save.error}
      onSubmit={form.onSubmit((values) => save.mutate(values))}
    >
      {known && <ChangedMembers of={known} />}
      {!known && <TextInput label="ID" required maxLength={100} {...form.getInputProps('id')} />}
      {!isEmbedded && (
        <>
          <TextInput
            label="Address"
            placeholder="https://api.openai.com/v1"
            required
            {...form.getInputProps('base_url')}
          />
          <Select
            label="Protocol"
            data={Object.entries(PROTOCOLS).map(([value, label]) => ({ value, label }))}
            allowDeselect={false}
            {...form.getInputProps('protocol')}
          />
          <PasswordInput
            label="Key"
            description={keyHelp(known, canSeal)}
            autoComplete="off"
            disabled={!canSeal}
            visibilityToggleButtonProps={{ 'aria-label': 'Show the key' }}
            {...form.getInputProps('api_key')}
          />
          <TextInput label="Region" maxLength={50} {...form.getInputProps('region')} />
          <Switch
            label="It keeps nothing of calls"
            description="By its contract: calls that demand no retention go nowhere else."
            {...form.getInputProps('keepsNothing', { type: 'checkbox' })}
          />
          <Switch label="It has OpenAI’s batches" {...form.getInputProps('batches', { type: 'checkbox' })} />
        </>
      )}
      {known && (
        <Switch
          label="Tried"
          description="Off: new calls pass it over; calls that run there end normally."
          {...form.getInputProps('isTried', { type: 'checkbox' })}
        />
      )}
      {known && <ReturnButton kind="upstreams" id={known.id} source={known.source} onReturned={onDone} />}
    </DialogForm>
  );
}

function keyHelp(known: CatalogUpstream | undefined, canSeal: boolean): string {
  if (!canSeal) return 'Set CATALOG_SECRETS_KEY to store keys here.';
  if (!known?.key) return 'Sealed, and never shown again.';
  const now = known.key.last4 ? `Now …${known.key.last4}. ` : 'Now that of the file. ';
  return `${now}Empty: unchanged. A new address needs its key again.`;
}

type Change = components['schemas']['CatalogUpstreamChange'];

function send(known: CatalogUpstream | undefined, values: Values) {
  const { id, base_url, api_key, batches, keepsNothing, region } = values;
  const retention = keepsNothing ? ('none' as const) : ('kept' as const);
  const protocol = values.protocol === 'embedded' ? undefined : values.protocol;
  if (!known) {
    const body = { id, base_url, protocol, batches, retention, ...(region && { region }), ...(api_key && { api_key }) };
    return answerOf(api.POST('/console/v1/catalog/upstreams', { body }));
  }
  const before = valuesOf(known);
  const change: Change = {};
  if (base_url !== before.base_url) change.base_url = base_url;
  if (protocol && protocol !== before.protocol) change.protocol = protocol;
  if (batches !== before.batches) change.batches = batches;
  if (keepsNothing !== before.keepsNothing) change.retention = retention;
  if (region !== before.region) change.region = region || null;
  if (api_key) change.api_key = api_key;
  if (values.isTried !== before.isTried) change.disabled = !values.isTried;
  const params = { path: { upstream: known.id } };
  return answerOf(api.PATCH('/console/v1/catalog/upstreams/{upstream}', { params, body: change }));
}
