import { MultiSelect, Switch } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { accounts } from '../api/accounts.ts';
import { useMe } from '../api/me.ts';

/** Whether an alert sends a mail. */
export interface MailValues {
  mail: boolean;
  /** The members who get it; none: those of `usually`. */
  mailTo: string[];
}

/** Whether an alert sends a mail, and to whom. `usually` names who gets it while no member is chosen. */
export function MailFields<Values extends MailValues>({
  form,
  usually,
}: {
  form: UseFormReturnType<Values>;
  usually: string;
}) {
  const { mail, mailTo } = form.values;
  return (
    <>
      <Switch label="Send a mail" {...form.getInputProps('mail', { type: 'checkbox' })} />
      {mail && <MailTo isEmpty={mailTo.length === 0} usually={usually} field={form.getInputProps('mailTo')} />}
    </>
  );
}

function MailTo({ isEmpty, usually, field }: { isEmpty: boolean; usually: string; field: object }) {
  const { workspace } = useMe();
  const members = useQuery({ queryKey: ['members'], queryFn: () => accounts.listMembers(workspace.id) });
  return (
    <MultiSelect
      label="Mail to"
      placeholder={isEmpty ? usually : undefined}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': usually }}
      data={members.data?.members.map(({ userId, user }) => ({ value: userId, label: user.name })) ?? []}
      {...field}
    />
  );
}
