import type { RequestRow } from '../api/shapes.ts';
import { Status } from '../parts/Status.tsx';

const CLIENT_CLOSED = 499;

/** The status of a call: a dot and its HTTP status, or a word when it has none. */
export function StatusBadge({ of: { status, cancelled } }: { of: Pick<RequestRow, 'status' | 'cancelled'> }) {
  if (cancelled || status === CLIENT_CLOSED)
    return <Status tone="quiet" word="Cancelled" title="The client disconnected before the end" />;
  return <Status tone={status < 400 ? 'good' : 'bad'} word={String(status)} />;
}
