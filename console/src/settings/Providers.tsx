import { Alert, Button, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { providerFailure, signInProviders } from '../account/providers.ts';
import { accounts } from '../api/accounts.ts';
import { rowsFrom, useChange } from '../api/hooks.ts';
import { Confirmed } from '../parts/Confirmed.tsx';
import { DataTable, type Column } from '../parts/DataTable.tsx';
import { DateTime } from '../parts/figures.tsx';
import { Panel } from '../parts/Panel.tsx';
import { Status } from '../parts/Status.tsx';
import { useSearchState } from '../parts/useSearchState.ts';

const KEY = ['sign-in-accounts'];

interface Row {
  provider: string;
  name: string;
  /** The linked account; undefined: none. */
  account?: { id: string; createdAt: string };
}

/** The providers by which the person signs in. Without any set up there is nothing to show. */
export function Providers() {
  const [{ error }] = useSearchState();
  const providers = signInProviders();
  const linked = useQuery({ queryKey: KEY, queryFn: accounts.listAccounts, enabled: providers.length > 0 });
  if (providers.length === 0) return null;
  const rows = linked.data && providers.map((provider) => rowOf(provider, linked.data));
  const isLast = linked.data?.length === 1;
  const failure = providerFailure(error);
  return (
    <Panel title="Providers" description="Sign in with an account that you have elsewhere.">
      <Stack>
        {failure && <Alert color="red">{failure}</Alert>}
        <DataTable
          label="Providers"
          columns={columnsOf(isLast)}
          from={rowsFrom(linked, rows)}
          rowKey={({ provider }) => provider}
          empty="No providers."
        />
      </Stack>
    </Panel>
  );
}

function rowOf(
  { id, name }: { id: string; name: string },
  linked: { id: string; providerId: string; createdAt: string }[],
): Row {
  return { provider: id, name, account: linked.find(({ providerId }) => providerId === id) };
}

const columnsOf = (isLast: boolean): Column<Row>[] => [
  { title: 'Provider', cell: ({ name }) => name },
  {
    title: 'State',
    cell: ({ account }) => <Status tone={account ? 'good' : 'quiet'} word={account ? 'Added' : 'Not added'} />,
  },
  { title: 'Since', visibleFrom: 'sm', cell: ({ account }) => account && <DateTime at={account.createdAt} isDay /> },
  {
    title: 'Actions',
    isTitleHidden: true,
    isNumber: true,
    cell: (row) => (row.account ? <Remove row={row} isLast={isLast} /> : <Add row={row} />),
  },
];

function Add({ row: { provider, name } }: { row: Row }) {
  const add = useChange(accounts.addProvider, { onSuccess: ({ url }) => location.assign(url) });
  return (
    <Button
      size="xs"
      variant="default"
      loading={add.isPending || add.isSuccess}
      onClick={() => add.mutate(provider)}
      aria-label={`Add ${name}`}
    >
      Add
    </Button>
  );
}

function Remove({ row: { name, account }, isLast }: { row: Row; isLast: boolean }) {
  const remove = useChange(accounts.removeAccount, { stale: [KEY], done: `${name} no longer signs you in` });
  return (
    <Confirmed
      title={`Remove ${name}?`}
      confirmLabel={`Remove ${name}`}
      change={remove}
      input={account!.id}
      trigger={(ask) => (
        <Button
          size="xs"
          variant="default"
          disabled={isLast}
          title={isLast ? 'Set a password first: this is your only way to sign in.' : undefined}
          loading={remove.isPending}
          onClick={ask}
          aria-label={`Remove ${name}`}
        >
          Remove
        </Button>
      )}
    >
      Your account there signs you in no longer. You can add it again.
    </Confirmed>
  );
}
