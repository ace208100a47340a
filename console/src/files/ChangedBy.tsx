import { Anchor } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { components } from '../api/openapi.d.ts';

export type State = components['schemas']['SessionState'];

/** Who made a version: a run's step, or a caller. */
export function ChangedBy({ runId }: { runId: string | null }) {
  if (runId === null) return <>by a caller</>;
  return (
    <>
      by{' '}
      <Anchor component={Link} {...{ to: `/runs/${runId}` }} inherit>
        a run
      </Anchor>
    </>
  );
}
