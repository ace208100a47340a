import '../parts/work.css';
import { Stack, Text } from '@mantine/core';
import { DateTime } from '../parts/figures.tsx';
import type { Change, Deployment, Feedback } from './configuration.ts';

const STATES: Record<Deployment['status'], [text: string, look: string]> = {
  in_review: ['In review', 'text-warn'],
  changes_requested: ['Changes requested', 'text-bad'],
  rejected: ['Rejected', 'text-bad'],
  withdrawn: ['Withdrawn', ''],
  active: ['Active', 'text-good'],
  superseded: ['Superseded', ''],
  suspended: ['Suspended', 'text-bad'],
};

export const DEPLOYMENT_STATUSES = Object.keys(STATES);

/** The state of a deployment in words. */
export function DeploymentStatus({ status }: { status: Deployment['status'] }) {
  const [text, look] = STATES[status] ?? [status, ''];
  return <span className={`status nowrap ${look}`}>{text}</span>;
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value, null, 2));
const OPERATIONS = { add: 'was added', remove: 'was removed', replace: 'was changed' };

/** Changes, each with the old and the new value. */
export function Changes({ changes, empty = 'Nothing differs.' }: { changes: Change[]; empty?: string }) {
  if (changes.length === 0) return <Text c="dimmed">{empty}</Text>;
  return (
    <Stack gap="md">
      {changes.map(({ op, path, from, to }) => (
        <div key={path}>
          <Text size="sm" mb={4}>
            <span className="id">{path}</span> {OPERATIONS[op]}
          </Text>
          {from !== undefined && (
            <pre className="diff diff-from">
              <span className="for-readers">Before: </span>
              {textOf(from)}
            </pre>
          )}
          {to !== undefined && (
            <pre className="diff diff-to">
              <span className="for-readers">After: </span>
              {textOf(to)}
            </pre>
          )}
        </div>
      ))}
    </Stack>
  );
}

/** The findings of the automatic checks and of operators. */
export function FeedbackList({ feedback }: { feedback: Feedback[] }) {
  if (feedback.length === 0) return <Text c="dimmed">No remarks.</Text>;
  return (
    <ul className="findings">
      {feedback.map((item) => (
        <li key={item.id}>
          <span className={`status ${item.severity === 'blocking' ? 'text-bad' : 'text-warn'}`}>
            {item.severity === 'blocking' ? 'Must change' : 'Advice'}
          </span>{' '}
          <Text span size="sm" c="dimmed">
            {item.source === 'automatic' ? 'automatic check' : 'operator'} <span className="id">{item.code}</span>
            {item.path && <span className="id"> at {item.path}</span>}
          </Text>
          <pre className="written">{item.message}</pre>
        </li>
      ))}
    </ul>
  );
}

/** The comments of publisher and operators. */
export function CommentList({ comments }: { comments: { author: string; message: string; created_at: string }[] }) {
  if (comments.length === 0) return <Text c="dimmed">No comments.</Text>;
  return (
    <ul className="findings">
      {comments.map((comment, at) => (
        <li key={at}>
          <Text span size="sm" c="dimmed">
            {comment.author}, <DateTime at={comment.created_at} />
          </Text>
          <pre className="written">{comment.message}</pre>
        </li>
      ))}
    </ul>
  );
}
