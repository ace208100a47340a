import { Anchor, Button } from '@mantine/core';
import { ExclamationTriangleIcon } from '@radix-ui/react-icons';
import { Link } from '@tanstack/react-router';
import { useMe } from '../api/me.ts';
import { remedyOf, type Failure } from './failures.ts';

/** Why there is no answer, what to do next, and the way there. */
export function FailureNote({ failure, onRetry }: { failure: Failure; onRetry?: () => void }) {
  const { scopes } = useMe();
  const { status, message, requestId } = failure;
  const remedy = remedyOf(failure);
  return (
    <div className="failure" role="alert">
      <ExclamationTriangleIcon className="failure-icon" aria-hidden />
      <div className="failure-words">
        <p className="failure-message">{message}</p>
        {remedy && <p className="failure-remedy">{remedy}</p>}
        <div className="failure-actions">
          {onRetry && (
            <Button size="xs" variant="default" onClick={onRetry}>
              Send again
            </Button>
          )}
          {status === 402 &&
            (scopes.includes('billing') ? (
              <Button size="xs" component={Link} {...{ to: '/billing' }}>
                Add credit
              </Button>
            ) : (
              <span>An owner or a finance member adds credit.</span>
            ))}
          {requestId && (
            <Anchor component={Link} {...{ to: `/requests/${requestId}` }} inherit>
              Request
            </Anchor>
          )}
        </div>
      </div>
    </div>
  );
}
