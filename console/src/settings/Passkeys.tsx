import { Button, Stack, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { accounts, addPasskey, type Passkey } from '../api/accounts.ts';
import { rowsFrom, useChange } from '../api/hooks.ts';
import { Confirmed } from '../parts/Confirmed.tsx';
import { DataTable, type Column } from '../parts/DataTable.tsx';
import { DateTime } from '../parts/figures.tsx';
import { Form } from '../parts/Form.tsx';
import { Panel } from '../parts/Panel.tsx';

const KEY = ['passkeys'];

/** Passkeys: sign-in with the device itself. */
export function Passkeys({ isRequired = false }: { /** Where a workspace waits for it. */ isRequired?: boolean } = {}) {
  const [name, setName] = useState('');
  const passkeys = useQuery({ queryKey: KEY, queryFn: accounts.listPasskeys });
  const add = useChange(addPasskey, {
    stale: isRequired ? [KEY, ['me']] : [KEY],
    done: 'The passkey is added',
    onSuccess: () => setName(''),
    onError: () => {},
  });
  return (
    <Panel title="Passkeys" description="Sign in with this device or a security key, without a password.">
      <Stack>
        <DataTable
          label="Passkeys"
          columns={COLUMNS}
          from={rowsFrom(passkeys, passkeys.data)}
          rowKey={({ id }) => id}
          empty="No passkeys yet."
        />
        <Form error={add.error} onSubmit={() => add.mutate(name.trim())}>
          <div className="setting">
            <TextInput
              label="Passkey name"
              placeholder="My laptop"
              required
              value={name}
              onChange={(event) => setName(event.currentTarget.value)}
            />
            <Button type="submit" loading={add.isPending} variant="default">
              Add passkey
            </Button>
          </div>
        </Form>
      </Stack>
    </Panel>
  );
}

const COLUMNS: Column<Passkey>[] = [
  { title: 'Name', cell: ({ name }) => <span className="cell-short">{name || 'Passkey'}</span> },
  { title: 'Added', cell: ({ createdAt }) => <DateTime at={createdAt} isDay /> },
  { title: 'Actions', isTitleHidden: true, isNumber: true, cell: (passkey) => <Remove of={passkey} /> },
];

function Remove({ of: { id, name } }: { of: Passkey }) {
  const remove = useChange(() => accounts.deletePasskey(id), { stale: [KEY], done: 'The passkey is removed' });
  const title = `Remove ${name || 'the passkey'}`;
  return (
    <Confirmed
      title={`${title}?`}
      confirmLabel="Remove passkey"
      change={remove}
      trigger={(ask) => (
        <Button size="xs" variant="default" onClick={ask} aria-label={title}>
          Remove
        </Button>
      )}
    >
      It no longer signs you in. The device may go on offering it until it is deleted there too.
    </Confirmed>
  );
}
