import type { RequestRow } from '../api/shapes.ts';

/** The status of a call, in words when it is not an HTTP status. */
export function StatusBadge({ of: { status, cancelled } }: { of: Pick<RequestRow, 'status' | 'cancelled'> }) {
  if (cancelled || status === 499) {
    return (
      <span className="status" title="The client disconnected before the end">
        cancelled
      </span>
    );
  }
  return <span className={`status ${status < 400 ? 'text-good' : 'text-bad'}`}>{status}</span>;
}
