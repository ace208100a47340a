import { Alert, Anchor, Button, Group, Text } from '@mantine/core';
import { pageAt } from '../parts/pageAt.ts';
import { Link } from '@tanstack/react-router';
import { Fragment } from 'react';
import type { components } from '../api/openapi.d.ts';
import { countText } from '../parts/figures.tsx';

export type WaitingReviews = components['schemas']['ReviewPage'];

const NAMED = 3;

/** For operators: the submissions that wait for a decision. Those that have waited longest are named. */
export function WaitingReviews({ of: waiting }: { of: WaitingReviews | undefined }) {
  if (!waiting || waiting.data.length === 0) return null;
  const { data, has_more: hasMore } = waiting;
  const left = data.length - NAMED;
  return (
    <Alert color="yellow">
      <Group justify="space-between">
        <Text size="sm">
          Waiting for review:{' '}
          {data.slice(0, NAMED).map(({ id, name, agent }, at) => (
            <Fragment key={id}>
              {at > 0 && ', '}
              <Anchor component={Link} {...{ to: `/operate/reviews/${id}` }} inherit>
                {name || agent}
              </Anchor>
            </Fragment>
          ))}
          {left > 0 && ` and ${countText(left)}${hasMore ? '+' : ''} more`}
        </Text>
        <Button component={Link} {...pageAt('/operate', { tab: 'reviews' })} size="xs" variant="default">
          See all
        </Button>
      </Group>
    </Alert>
  );
}
