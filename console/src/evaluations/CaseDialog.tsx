import { Button, Group, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { PlusIcon } from '@radix-ui/react-icons';
import { answerOf, api } from '../api/client.ts';
import { useChange } from '../api/hooks.ts';
import { Dialog } from '../parts/ConfirmDialog.tsx';
import { DialogForm } from '../parts/DialogForm.tsx';
import { CheckFields } from './CheckFields.tsx';
import { inputOf, inputText, newCheck, type Case, type Evaluated, type EvaluationSet } from './evaluations.ts';

/** Adds a case to a set, or changes one. */
export function CaseDialog({
  of,
  set,
  at,
  onClose,
}: {
  of: Evaluated;
  set: EvaluationSet;
  at: number | 'new' | undefined;
  onClose: () => void;
}) {
  return (
    <Dialog title={at === 'new' ? 'Add case' : 'Change case'} size="lg" isOpen={at !== undefined} onClose={onClose}>
      {at !== undefined && <CaseForm key={at} of={of} set={set} at={at} onDone={onClose} />}
    </Dialog>
  );
}

interface Values {
  name: string;
  input: string;
  checks: Case['checks'];
}

function CaseForm({
  of: { agentId, isTyped },
  set,
  at,
  onDone,
}: {
  of: Evaluated;
  set: EvaluationSet;
  at: number | 'new';
  onDone: () => void;
}) {
  const from = at === 'new' ? undefined : set.cases[at];
  const isItems = !isTyped && from !== undefined && typeof from.input !== 'string';
  const form = useForm<Values>({
    initialValues: {
      name: from?.name ?? '',
      input: from ? inputText(from.input) : '',
      checks: from?.checks ?? [newCheck('string_check')],
    },
    validate: { input: (text) => faultOf(text, { isTyped, isItems }) },
  });
  const store = useStoring(agentId, set, onDone);
  const save = ({ name, input, checks }: Values) => {
    const made: Case = { name, input: inputOf(input, { isTyped, isItems }), checks };
    store.mutate(at === 'new' ? [...set.cases, made] : set.cases.with(at, made));
  };
  const { checks } = form.values;
  return (
    <DialogForm
      submitLabel={from ? 'Save' : 'Add case'}
      isPending={store.isPending}
      error={store.error}
      onSubmit={form.onSubmit(save)}
    >
      <TextInput label="Name" required maxLength={100} data-autofocus {...form.getInputProps('name')} />
      <Textarea
        label={isTyped ? 'Input, as JSON' : isItems ? 'Input, as items' : 'Input'}
        required
        autosize
        minRows={3}
        maxRows={12}
        {...form.getInputProps('input')}
      />
      {checks.map((check, index) => (
        <CheckFields
          key={index}
          check={check}
          label={`Check ${index + 1}`}
          onChange={(changed) => form.setFieldValue('checks', checks.with(index, changed))}
          onRemove={checks.length > 1 ? () => form.removeListItem('checks', index) : undefined}
        />
      ))}
      <Foot
        onAdd={() => form.insertListItem('checks', newCheck('score_model'))}
        onRemove={from && (() => store.mutate(set.cases.filter((one) => one !== from)))}
        isPending={store.isPending}
      />
    </DialogForm>
  );
}

function Foot({
  onAdd,
  onRemove,
  isPending,
}: {
  onAdd: () => void;
  onRemove: (() => void) | undefined;
  isPending: boolean;
}) {
  return (
    <Group justify="space-between">
      <Button variant="default" size="xs" leftSection={<PlusIcon aria-hidden />} onClick={onAdd}>
        Add check
      </Button>
      {onRemove && (
        <Button variant="subtle" color="red" size="xs" disabled={isPending} onClick={onRemove}>
          Delete case
        </Button>
      )}
    </Group>
  );
}

/** Stores the cases of a set; without any, the set is deleted. */
function useStoring(agentId: string, { revision, cases: before }: EvaluationSet, onDone: () => void) {
  const params = { path: { agent_id: agentId } };
  return useChange(
    (cases: Case[]) =>
      cases.length === 0
        ? answerOf<unknown>(api.DELETE('/v1/publisher/agents/{agent_id}/evaluation-set', { params }))
        : answerOf<unknown>(
            api.PUT('/v1/publisher/agents/{agent_id}/evaluation-set', { params, body: { cases, revision } }),
          ),
    {
      stale: [['evaluations', agentId]],
      done: (_, { length }) => (length < before.length ? 'Case deleted' : 'Case saved'),
      onSuccess: onDone,
      onError: () => {},
    },
  );
}

function faultOf(text: string, how: { isTyped: boolean; isItems: boolean }): string | null {
  try {
    inputOf(text, how);
    return null;
  } catch {
    return 'This is no JSON.';
  }
}
