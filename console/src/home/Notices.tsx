import { Alert, Button, Group, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { Invitation } from '../api/accounts.ts';
import { useMe } from '../api/me.ts';
import type { Overview } from '../api/shapes.ts';
import { Ago } from '../parts/figures.tsx';
import { pageAt } from '../parts/pageAt.ts';
import { Status, type Tone } from '../parts/Status.tsx';

export type OwnInvitation = Invitation & { organizationName: string };

/** Invitations to other workspaces that the person has not answered. */
export function Invitations({ invitations }: { invitations: OwnInvitation[] | undefined }) {
  const open = invitations?.filter(({ status, expiresAt }) => status === 'pending' && new Date(expiresAt) > new Date());
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

/** Why calls are refused, and what happened in the last days. */
export function Notices({ overview }: { overview: Overview }) {
  const mayPay = useMe().scopes.includes('billing');
  return (
    <>
      {overview.blocked && !isNew(overview) && (
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
      {overview.notices.length > 0 && (
        <ul className="panel notices" aria-label="Notices">
          {overview.notices.map(({ type, message, created_at: at }, nth) => (
            // Several may have one text and one moment.
            <li key={nth}>
              <Link {...pageAt(PAGES[type] ?? PAGES[type.split('.')[0]!] ?? '/')} className="notice">
                <Status tone={toneOf(type)} word={message} />
                <Ago at={at} />
              </Link>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

/** Where a notice leads, by what it is about. */
const PAGES: Partial<Record<string, string>> = {
  agent: '/agents',
  'agent.failing': '/publish',
  'agent.recovered': '/publish',
  'agent.run_shared': '/publish',
  'agent.channel_moved': '/publish',
  alert: '/billing',
  balance: '/billing',
  invoice: '/billing?view=invoices',
  topup: '/billing',
  deployment: '/publish',
  key: '/keys',
  webhook_endpoint: '/webhooks',
  workspace: '/settings',
};

function toneOf(type: string): Tone {
  if (/succeeded|approved|restored|cancelled|issued/.test(type)) return 'good';
  return /low|alert|changes_requested|price_increase|deprecated/.test(type) ? 'held' : 'bad';
}

// A new account needs no warning: its first steps explain what to do.
const isNew = (overview: Overview) =>
  overview.balance_usd === 0 && overview.spend_month_usd === 0 && overview.spend_last_month_usd === 0;
