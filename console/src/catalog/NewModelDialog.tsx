import { NumberInput, Select, SimpleGrid, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { answerOf, api } from '../api/client.ts';
import { useAnswer, useChange } from '../api/hooks.ts';
import { Dialog } from '../parts/ConfirmDialog.tsx';
import { DialogForm } from '../parts/DialogForm.tsx';
import { MODEL_KINDS } from '../parts/modelKinds.ts';
import type { CatalogModel } from './shapes.ts';

/** Adds a model. It is sold from its first approved price on. */
export function NewModelDialog(props: { isOpen: boolean; onClose: () => void; onAdded: (id: string) => void }) {
  return (
    <Dialog title="Add model" isOpen={props.isOpen} onClose={props.onClose}>
      {props.isOpen && <NewModelForm onAdded={props.onAdded} />}
    </Dialog>
  );
}

function NewModelForm({ onAdded }: { onAdded: (id: string) => void }) {
  const upstreams = useAnswer(['catalog', 'upstreams'], (signal) =>
    api.GET('/console/v1/catalog/upstreams', { signal }),
  );
  const form = useForm({
    initialValues: { id: '', kind: 'text' as CatalogModel['kind'], upstream: '', model: '', context: '', output: '' },
  });
  const add = useChange(
    ({ id, kind, upstream, model, context, output }: typeof form.values) =>
      answerOf(
        api.POST('/console/v1/catalog/models', {
          body: {
            id,
            kind,
            upstreams: [{ upstream, model: model || id }],
            ...(Number(context) > 0 && { context_tokens: Number(context) }),
            ...(Number(output) > 0 && { output_tokens_max: Number(output) }),
          },
        }),
      ),
    { stale: [['catalog']], done: 'Model added', onSuccess: ({ id }) => onAdded(id), onError: () => {} },
  );
  return (
    <DialogForm
      submitLabel="Add model"
      isPending={add.isPending}
      error={add.error}
      onSubmit={form.onSubmit((values) => add.mutate(values))}
    >
      <TextInput label="ID" description="The name that callers use." required {...form.getInputProps('id')} />
      <Select label="Kind" data={MODEL_KINDS} allowDeselect={false} {...form.getInputProps('kind')} />
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <Select
          label="Upstream"
          data={upstreams.data?.data.map(({ id }) => id) ?? []}
          required
          {...form.getInputProps('upstream')}
        />
        <TextInput label="Its name there" placeholder={form.values.id} {...form.getInputProps('model')} />
        <NumberInput label="Context, tokens" min={0} hideControls {...form.getInputProps('context')} />
        <NumberInput label="Max output, tokens" min={0} hideControls {...form.getInputProps('output')} />
      </SimpleGrid>
    </DialogForm>
  );
}
