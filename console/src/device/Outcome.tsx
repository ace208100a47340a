import { Anchor, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Panel } from '../parts/Panel.tsx';
import type { Login } from './grant.ts';

/** What became of a login. */
export function Outcome({ status }: { status: Login['status'] }) {
  const isDenied = status === 'denied';
  return (
    <div role="status">
      <Panel title={isDenied ? 'Denied' : 'Approved'}>
        {isDenied ? (
          <Text>The program gets no key. If you did not begin this login, there is nothing more to do.</Text>
        ) : (
          <Text>
            You can return to your terminal: it has its key within a few seconds. You find the key, and can revoke it,
            under{' '}
            <Anchor component={Link} to="/keys" underline="always">
              Keys
            </Anchor>
            .
          </Text>
        )}
      </Panel>
    </div>
  );
}
