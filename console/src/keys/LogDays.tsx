import { Select, Text } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { answerOf, api } from '../api/client.ts';
import { useChange } from '../api/hooks.ts';
import { ConfirmDialog } from '../parts/ConfirmDialog.tsx';
import { countOf } from '../parts/totals.tsx';
import type { Key } from './keyTypes.ts';
import type { KeyValues } from './keyValues.ts';

const DAYS = [1, 7, 30, 90];

/** A number of days in words. */
export const daysText = (days: number): string => (days === 1 ? '1 day' : `${days} days`);

/** Whether prompts and answers of the key's calls are kept, and what that means. Only an owner decides it. */
export function LogDays({ form, isOwner }: { form: UseFormReturnType<KeyValues>; isOwner: boolean }) {
  const { logDays } = form.values;
  const days = Number(logDays);
  if (!isOwner)
    return (
      <Text size="xs" c="dimmed">
        {days > 0
          ? `Prompts and answers of its calls are kept for ${daysText(days)}, as an owner has set.`
          : 'Prompts and answers of its calls are not kept. An owner can change that.'}
      </Text>
    );
  const choices = [...new Set([...DAYS, ...(days > 0 ? [days] : [])])].toSorted((one, other) => one - other);
  return (
    <Select
      label="Prompts and answers"
      description={days > 0 ? KEPT : undefined}
      data={[
        { value: '0', label: 'Not kept' },
        ...choices.map((one) => ({ value: String(one), label: `Kept for ${daysText(one)}` })),
      ]}
      allowDeselect={false}
      inputWrapperOrder={['label', 'input', 'description']}
      {...form.getInputProps('logDays')}
    />
  );
}

const KEPT =
  'From now on the requests and answers of its calls are kept, encrypted, without images and files; speech is in the history of voices. Owners and developers can read and delete them; each reading is in the audit.';

/** Deletes what is kept of all calls of a key until now. */
export function DeleteContents({ of: key, isOpen, onClose }: { of: Key; isOpen: boolean; onClose: () => void }) {
  const remove = useChange(
    () => answerOf(api.DELETE('/platform/v1/keys/{key_id}/contents', { params: { path: { key_id: key.id } } })),
    {
      stale: [['requests']],
      onSuccess: ({ deleted }) => {
        notifications.show({
          message: `Deleted of ${countOf(deleted, 'request')}`,
          closeButtonProps: { 'aria-label': 'Close' },
        });
        onClose();
      },
    },
  );
  return (
    <ConfirmDialog
      title={`Delete prompts and answers of ${key.name}?`}
      confirmLabel="Delete"
      isOpen={isOpen}
      isPending={remove.isPending}
      onConfirm={() => remove.mutate(undefined)}
      onClose={onClose}
    >
      <Text size="sm">
        All that is kept of its calls until now. It cannot be restored; the requests stay, with their costs.
        {key.log_days > 0 && ' Later calls are kept as before: edit the key to end that.'}
      </Text>
    </ConfirmDialog>
  );
}
