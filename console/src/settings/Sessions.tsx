import { Button, Group } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { accounts, type Session } from '../api/accounts.ts';
import { rowsFrom, useChange } from '../api/hooks.ts';
import { Confirmed } from '../parts/Confirmed.tsx';
import { DataTable, type Column } from '../parts/DataTable.tsx';
import { Ago, timeText } from '../parts/figures.tsx';
import { Panel } from '../parts/Panel.tsx';
import { Status } from '../parts/Status.tsx';

const KEY = ['sessions'];

/** The account's sessions. */
export function Sessions() {
  const sessions = useQuery({ queryKey: KEY, queryFn: accounts.listSessions });
  const columns: Column<Session>[] = [
    {
      title: 'Device',
      cell: ({ current, userAgent }) => (
        <Group gap="xs">
          {deviceOf(userAgent)}
          {current && <Status tone="good" word="This device" />}
        </Group>
      ),
    },
    { title: 'Address', visibleFrom: 'sm', cell: ({ ipAddress }) => <span className="id">{ipAddress || '—'}</span> },
    { title: 'Signed in', cell: ({ createdAt }) => <Ago at={createdAt} /> },
    {
      title: 'Actions',
      isTitleHidden: true,
      isNumber: true,
      cell: (session) => (session.current ? null : <End of={session} />),
    },
  ];
  return (
    <Panel title="Sessions" description="Where you are signed in." actions={<EndOthers />}>
      <DataTable
        label="Sessions"
        columns={columns}
        from={rowsFrom(sessions, sessions.data)}
        rowKey={({ id }) => id}
        empty="No sessions."
      />
    </Panel>
  );
}

function End({ of: { token, userAgent, createdAt } }: { of: Session }) {
  const end = useChange(() => accounts.revokeSession(token), { stale: [KEY], done: 'The session has ended' });
  const device = deviceOf(userAgent);
  return (
    <Confirmed
      title="Sign out this device?"
      confirmLabel="Sign out device"
      change={end}
      trigger={(ask) => (
        <Button
          size="xs"
          variant="default"
          onClick={ask}
          aria-label={`Sign out ${device}, signed in ${timeText(createdAt)}`}
        >
          Sign out
        </Button>
      )}
    >
      <b>{device}</b>, signed in {timeText(createdAt)}, has to sign in again.
    </Confirmed>
  );
}

function EndOthers() {
  const end = useChange(accounts.revokeOtherSessions, { stale: [KEY], done: 'Your other sessions have ended' });
  return (
    <Confirmed
      title="Sign out everywhere else?"
      confirmLabel="Sign out other devices"
      change={end}
      trigger={(ask) => (
        <Button variant="default" size="xs" onClick={ask}>
          Sign out everywhere else
        </Button>
      )}
    >
      Every other browser and device has to sign in again. You stay signed in here.
    </Confirmed>
  );
}

const BROWSERS: [RegExp, string][] = [
  [/Edg\//, 'Edge'],
  [/Firefox\//, 'Firefox'],
  [/Chrome\//, 'Chrome'],
  [/Safari\//, 'Safari'],
];
const SYSTEMS: [RegExp, string][] = [
  [/Android/, 'Android'],
  [/iPhone|iPad/, 'iOS'],
  [/Mac OS/, 'macOS'],
  [/Windows/, 'Windows'],
  [/Linux/, 'Linux'],
];

function deviceOf(userAgent: string | null): string {
  const find = (list: [RegExp, string][]) => list.find(([pattern]) => pattern.test(userAgent ?? ''))?.[1];
  return [find(BROWSERS) ?? 'A browser', find(SYSTEMS)].filter(Boolean).join(' on ');
}
