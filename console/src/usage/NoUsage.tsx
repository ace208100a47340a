import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useMe } from '../api/me.ts';
import { EmptyState } from '../parts/EmptyState.tsx';
import { pageAt } from '../parts/pageAt.ts';

/** In the place of the table, where nothing has been used yet. */
export function NoUsage() {
  const { scopes } = useMe();
  return (
    <section className="panel" aria-label="Usage by name">
      <EmptyState
        drawing="chart"
        title="Every call is counted here"
        action={
          scopes.includes('manage') && (
            <Button component={Link} {...pageAt('/keys', { create: '1' })} variant="default">
              Create key
            </Button>
          )
        }
      >
        Cost, tokens, errors and latency, by model, key, product and member, within seconds of each response.
      </EmptyState>
    </section>
  );
}
