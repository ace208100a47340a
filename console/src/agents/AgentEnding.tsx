import { Alert, Anchor } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { components } from '../api/openapi.d.ts';
import { DateTime } from '../parts/figures.tsx';
import { pageAt } from '../parts/pageAt.ts';

type Agent = components['schemas']['Agent'];

/** Whether an agent takes orders. */
export const takesOrders = ({ status }: Pick<Agent, 'status'>): boolean =>
  status !== 'taken_down' && status !== 'retired';

/** What callers should know before they order an agent: it was taken down, is retired, or will be. */
export function AgentEnding({ agent: { status, taken_down: down, deprecation } }: { agent: Agent }) {
  if (down)
    return (
      <Alert color="red" mb="md" title="Its publisher has taken this agent down">
        {down.message} New runs are refused; runs that have begun end as usual.
      </Alert>
    );
  if (!deprecation) return null;
  const { sunset_at: at, successor, message } = deprecation;
  const isRetired = status === 'retired';
  return (
    <Alert
      color={isRetired ? 'red' : 'yellow'}
      mb="md"
      title={isRetired ? 'This agent is retired' : 'This agent is deprecated'}
    >
      New runs {isRetired ? 'are refused since' : 'are refused from'} <DateTime at={at} />
      {!isRetired && ' on'}.{' '}
      {successor && (
        <>
          Use{' '}
          <Anchor component={Link} inherit {...pageAt(`/agents/${successor}`)}>
            {successor}
          </Anchor>{' '}
          instead.{' '}
        </>
      )}
      {message}
    </Alert>
  );
}
