import { NumberInput, Select, SimpleGrid, Switch, TagsInput, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { answerOf, api } from '../api/client.ts';
import { useChange } from '../api/hooks.ts';
import type { components } from '../api/openapi.d.ts';
import { Dialog } from '../parts/ConfirmDialog.tsx';
import { DialogForm } from '../parts/DialogForm.tsx';
import { RULE_NAMES, RULES } from './rules.ts';
import type { CatalogModel } from './shapes.ts';

/** Changes a model: only what differs is sent, so that the rest stays the file's. */
export function ModelDialog({ model, ...rest }: { model: CatalogModel; isOpen: boolean; onClose: () => void }) {
  return (
    <Dialog title={`Change ${model.id}`} {...rest}>
      {rest.isOpen && <ModelForm model={model} onDone={rest.onClose} />}
    </Dialog>
  );
}

const valuesOf = (model: CatalogModel) => ({
  name: model.name ?? '',
  description: model.description ?? '',
  aliases: model.aliases,
  context_tokens: model.context_tokens as number | '',
  output_tokens_max: model.output_tokens_max as number | '',
  by: model.routing.by,
  isSold: model.state !== 'disabled',
});

type Values = ReturnType<typeof valuesOf>;

function ModelForm({ model, onDone }: { model: CatalogModel; onDone: () => void }) {
  const form = useForm<Values>({ initialValues: valuesOf(model) });
  const save = useChange(
    (values: Values) =>
      answerOf(
        api.PATCH('/console/v1/catalog/models/{catalog_model}', {
          params: { path: { catalog_model: model.id } },
          body: changeOf(model, values),
        }),
      ),
    { stale: [['catalog'], ['models'], ['audit']], done: 'Model changed', onSuccess: onDone, onError: () => {} },
  );
  const hasTokens = model.kind === 'text' || model.kind === 'embedding' || model.kind === 'realtime';
  return (
    <DialogForm
      submitLabel="Save"
      isPending={save.isPending}
      error={save.error}
      onSubmit={form.onSubmit((values) => save.mutate(values))}
    >
      <TextInput label="Name" placeholder="Made of its ID" maxLength={100} {...form.getInputProps('name')} />
      <Textarea
        label="Description"
        placeholder="That of its kind"
        autosize
        minRows={2}
        maxLength={2000}
        {...form.getInputProps('description')}
      />
      <TagsInput label="Aliases" description="Other names that mean this model." {...form.getInputProps('aliases')} />
      {hasTokens && (
        <SimpleGrid cols={2}>
          <NumberInput label="Context, tokens" min={0} hideControls {...form.getInputProps('context_tokens')} />
          <NumberInput label="Max output, tokens" min={0} hideControls {...form.getInputProps('output_tokens_max')} />
        </SimpleGrid>
      )}
      {model.upstreams.length > 1 && (
        <Select
          label="Upstreams are chosen"
          description={RULES[form.values.by]}
          data={Object.entries(RULE_NAMES).map(([value, label]) => ({ value, label }))}
          allowDeselect={false}
          {...form.getInputProps('by')}
        />
      )}
      <Switch
        label="Sold"
        description="Off: unknown to new calls; calls that run end normally."
        {...form.getInputProps('isSold', { type: 'checkbox' })}
      />
    </DialogForm>
  );
}

type Change = components['schemas']['CatalogModelChange'];

function changeOf(model: CatalogModel, after: Values): Change {
  const before = valuesOf(model);
  const change: Change = {};
  if (after.name !== before.name) change.name = after.name.trim() || null;
  if (after.description !== before.description) change.description = after.description.trim() || null;
  if (after.aliases.join('\n') !== before.aliases.join('\n')) change.aliases = after.aliases;
  if (after.context_tokens !== before.context_tokens) change.context_tokens = Number(after.context_tokens);
  if (after.output_tokens_max !== before.output_tokens_max) change.output_tokens_max = Number(after.output_tokens_max);
  // The other members of the rule stay as they are.
  const others = Object.entries(model.routing).filter(([, value]) => value !== null);
  if (after.by !== before.by) change.routing = { ...Object.fromEntries(others), by: after.by };
  if (after.isSold !== before.isSold) change.disabled = !after.isSold;
  return change;
}
