import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { api, sendJson } from '../api/client.ts';
import type { Invitation } from '../api/accounts.ts';
import { useAnswer } from '../api/hooks.ts';
import { useMe } from '../api/me.ts';
import type { Overview } from '../api/shapes.ts';
import { TableFailure } from '../parts/DataTable.tsx';
import { Ago, countText } from '../parts/figures.tsx';
import { Money } from '../parts/Money.tsx';
import { pageAt } from '../parts/pageAt.ts';
import { PageHeader } from '../parts/PageHeader.tsx';
import { Figure, Figures } from '../parts/Figure.tsx';
import { Panel } from '../parts/Panel.tsx';
import { Refusals } from '../requests/Refusals.tsx';
import { FirstSteps } from './FirstSteps.tsx';
import { LatestRequests } from './LatestRequests.tsx';

type OwnInvitation = Invitation & { organizationName: string };

export default function HomePage() {
  const { workspace, scopes } = useMe();
  const overview = useAnswer(['overview'], (signal) => api.GET('/platform/v1/overview', { signal }), {
    refetchInterval: 5_000,
  });
  if (overview.error && !overview.data) {
    return (
      <>
        <PageHeader title="Home" description={workspace.name} />
        <TableFailure error={overview.error} retry={() => void overview.refetch()} />
      </>
    );
  }
  return (
    <>
      <PageHeader
        title="Home"
        description={workspace.name}
        actions={
          <>
            {scopes.includes('billing') && (
              <Button component={Link} to="/billing" variant="default">
                Add credit
              </Button>
            )}
            {scopes.includes('manage') && (
              <Button component={Link} {...pageAt('/keys', { create: '1' })}>
                Create a key
              </Button>
            )}
          </>
        }
      />
      <Stack gap="lg">
        <Invitations />
        <Notices overview={overview.data} />
        <Overviews overview={overview.data} />
        <RefusedCalls overview={overview.data} />
        <FirstSteps overview={overview.data} />
        <LatestRequests />
      </Stack>
    </>
  );
}

/** Invitations to other workspaces that the person has not answered. */
function Invitations() {
  const invitations = useQuery({
    queryKey: ['invitations', 'own'],
    queryFn: () => sendJson<OwnInvitation[]>('/console/v1/auth/organization/list-user-invitations'),
    staleTime: 60_000,
  });
  const open = invitations.data?.filter(
    ({ status, expiresAt }) => status === 'pending' && new Date(expiresAt) > new Date(),
  );
  return open?.map(({ id, organizationName, role }) => (
    <Alert key={id} color="green">
      <Group justify="space-between">
        <Text size="sm">
          You are invited to {organizationName} as {role}.
        </Text>
        <Button component={Link} to={`/invitations/${id}`} size="xs">
          See the invitation
        </Button>
      </Group>
    </Alert>
  ));
}

function Notices({ overview }: { overview: Overview | undefined }) {
  const mayPay = useMe().scopes.includes('billing');
  return (
    <>
      {overview?.blocked && !isNew(overview) && (
        <Alert color="red" title="Calls are refused at the moment">
          <Group justify="space-between">
            <Text size="sm">{overview.blocked.message}</Text>
            {mayPay && (
              <Button component={Link} to="/billing" size="xs">
                Add credit
              </Button>
            )}
          </Group>
        </Alert>
      )}
      {overview?.notices.map(({ type, message, created_at: at }) => (
        <Alert key={`${type} ${at}`} color="yellow">
          {message} <Ago at={at} />
        </Alert>
      ))}
    </>
  );
}

/** Why calls were refused or failed in the last hour; hidden when there are none. */
function RefusedCalls({ overview }: { overview: Overview | undefined }) {
  const refused = overview?.refused_last_hour ?? [];
  if (refused.length === 0) return null;
  return (
    <Panel title="Refused or failed in the last hour" description="Each code leads to its last call.">
      <Refusals of={refused} />
    </Panel>
  );
}

// A new account needs no warning: its first steps explain what to do.
const isNew = (overview: Overview) =>
  overview.balance_usd === 0 && overview.spend_month_usd === 0 && overview.spend_last_month_usd === 0;

function Overviews({ overview }: { overview: Overview | undefined }) {
  const isLoading = overview === undefined;
  return (
    <Figures>
      <Figure label="Available" isLoading={isLoading} value={<Money usd={overview?.available_usd} isRounded />}>
        Balance <Money usd={overview?.balance_usd} isRounded />, held <Money usd={overview?.held_usd} isRounded />
      </Figure>
      <Figure label="Spend today" isLoading={isLoading} value={<Money usd={overview?.spend_today_usd} isRounded />}>
        Yesterday <Money usd={overview?.spend_yesterday_usd} isRounded />
      </Figure>
      <Figure
        label="Spend this month"
        isLoading={isLoading}
        value={<Money usd={overview?.spend_month_usd} isRounded />}
      >
        Last month <Money usd={overview?.spend_last_month_usd} isRounded />
      </Figure>
      <Figure label="Requests, last hour" isLoading={isLoading} value={countText(overview?.requests_last_hour ?? 0)}>
        <Failures count={overview?.errors_last_hour} noun="failed" to="/requests" />
      </Figure>
      <Figure label="Runs, last hour" isLoading={isLoading} value={countText(overview?.runs_last_hour ?? 0)}>
        <Failures count={overview?.runs_failed_last_hour} noun="failed" />
      </Figure>
      <Figure label="Open runs" isLoading={isLoading} value={countText(overview?.runs_open ?? 0)}>
        Queued, running or waiting for an answer
      </Figure>
    </Figures>
  );
}

function Failures({ count = 0, noun, to }: { count?: number; noun: string; to?: string }) {
  const text = `${countText(count)} ${noun}`;
  if (count === 0) return <>None {noun}</>;
  return to ? (
    <Link to={to} search={{ status: '5xx' }} className="text-bad">
      {text}
    </Link>
  ) : (
    <span className="text-bad">{text}</span>
  );
}
