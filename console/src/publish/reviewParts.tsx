import './publish.css';
import { Button, Group, Stack, Text } from '@mantine/core';
import { sendJson } from '../api/client.ts';
import { useChange } from '../api/hooks.ts';
import { shareText } from '../agents/quality.ts';
import { Confirmed } from '../parts/Confirmed.tsx';
import { DateTime, usdText } from '../parts/figures.tsx';
import { Status, type Tone } from '../parts/Status.tsx';
import { countOf } from '../parts/totals.tsx';
import type { Change, Deployment, Feedback } from './configuration.ts';
import { fieldAt, linesOf } from './fields.ts';

type Rollout = NonNullable<Deployment['rollout']>;

const STATES: Record<Deployment['status'], [word: string, tone: Tone]> = {
  in_review: ['In review', 'held'],
  changes_requested: ['Changes requested', 'held'],
  rejected: ['Rejected', 'bad'],
  withdrawn: ['Withdrawn', 'quiet'],
  scheduled: ['Scheduled', 'held'],
  active: ['Active', 'good'],
  superseded: ['Superseded', 'quiet'],
  suspended: ['Suspended', 'bad'],
};

export const DEPLOYMENT_STATUSES = Object.entries(STATES).map(([value, [label]]) => ({ value, label }));

// An approved version that is not the default yet: a different version is active.
const ROLLOUTS: Partial<Record<Rollout['state'], [word: string, tone: Tone]>> = {
  rolling: ['Rolling out', 'busy'],
};

/** The state of a deployment as a dot and its word. */
export function DeploymentStatus({
  status,
  rollout,
}: Pick<Deployment, 'status'> & Partial<Pick<Deployment, 'rollout'>>) {
  const waiting = status === 'active' && rollout ? ROLLOUTS[rollout.state] : undefined;
  const [word, tone] = waiting ?? STATES[status] ?? [status, 'quiet'];
  return <Status tone={tone} word={word} />;
}

/** How an approved version becomes the default, in a sentence; nothing once it is. */
export function RolloutState({ rollout }: { rollout: Deployment['rollout'] }) {
  if (!rollout || (rollout.state === 'complete' && rollout.steps.length === 0)) return null;
  return (
    <Stack gap={4}>
      <RolloutSentence rollout={rollout} />
      {rollout.steps.map((step) => (
        <Text key={step.percentage} size="sm" c={step.started_at ? undefined : 'dimmed'}>
          {stepText(step)}
        </Text>
      ))}
    </Stack>
  );
}

type Step = Rollout['steps'][number];

/** A step with its results: `5%: passed with 24 runs, 96% completed, …`. */
function stepText({ percentage, runs_min: runs, hours_min: hours, ...step }: Step): string {
  const state = step.outcome ?? (step.started_at ? 'now' : `needs ${countOf(runs, 'run')} and ${hours} h`);
  if (!step.new_version) return `${percentage}%: ${state}`;
  return `${percentage}%: ${state}, ${seenText(step.new_version)}; live version: ${seenText(step.live_version)}`;
}

function seenText(seen: Step['new_version']): string {
  if (!seen || seen.runs === 0) return 'no runs';
  const cost = seen.median_cost_usd === null ? '' : `, median ${usdText(seen.median_cost_usd)}`;
  return `${countOf(seen.runs, 'run')}, ${shareText(seen.completion_rate)} completed${cost}`;
}

function RolloutSentence({ rollout }: { rollout: Rollout }) {
  return (
    <Text size="sm">
      {rollout.state === 'planned' && 'The steps that the publisher has planned:'}
      {rollout.state === 'complete' && 'It is the default.'}
      {rollout.state === 'rolling' && `${rollout.percentage}% of new sessions get it.`}
      {rollout.state === 'scheduled' && (
        <>
          It costs more, and becomes the default on <DateTime at={rollout.effective_at} />.
        </>
      )}
      {rollout.state === 'rolled_back' && `It was rolled back: ${rollout.reason}`}
    </Text>
  );
}

/** Ends an open rollout by hand. `path`: of the deployment. */
export function RolloutButtons({
  rollout,
  path,
  stale,
}: {
  rollout: Deployment['rollout'];
  path: string;
  stale: string[][];
}) {
  const end = useChange((move: 'promote' | 'roll-back') => sendJson(`${path}/${move}`, {}), {
    stale,
    done: (_, move) => (move === 'promote' ? 'It is the default now' : 'Rolled back'),
  });
  if (rollout?.state !== 'rolling' && rollout?.state !== 'scheduled') return null;
  return (
    <Group gap="xs">
      {rollout.state === 'rolling' && (
        <Confirmed
          title="Make this version the default?"
          confirmLabel="Make it the default"
          isGrant
          change={end}
          input="promote"
          trigger={(ask) => (
            <Button size="xs" onClick={ask}>
              Make it the default
            </Button>
          )}
        >
          All new sessions get it at once, whatever steps are left.
        </Confirmed>
      )}
      <Confirmed
        title="Roll this version back?"
        confirmLabel="Roll back"
        change={end}
        input="roll-back"
        trigger={(ask) => (
          <Button size="xs" variant="default" onClick={ask}>
            Roll back
          </Button>
        )}
      >
        New sessions get the live version, and this one does not become the default.
      </Confirmed>
    </Group>
  );
}

/** A text as it is, other values as JSON. */
export const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value, null, 2));
const OPERATIONS = { add: 'was added', remove: 'was removed', replace: 'was changed' };

/** Changes, each with the old and the new value. */
export function Changes({ changes, empty = 'Nothing differs.' }: { changes: Change[]; empty?: string }) {
  if (changes.length === 0)
    return (
      <Text size="sm" c="dimmed">
        {empty}
      </Text>
    );
  return (
    <Stack gap="md">
      {changes.map(({ op, path, from, to }) => (
        <div key={path}>
          <Text size="xs" mb={4}>
            <b>{fieldAt(path).label}</b> <span className="id">{path}</span> {OPERATIONS[op]}
          </Text>
          <div className="diff-pair">
            {from !== undefined && (
              <pre className="diff diff-from">
                <span className="for-readers">Before: </span>
                {linesOf(from, path)}
              </pre>
            )}
            {to !== undefined && (
              <pre className="diff diff-to">
                <span className="for-readers">After: </span>
                {linesOf(to, path)}
              </pre>
            )}
          </div>
        </div>
      ))}
    </Stack>
  );
}

/** The findings of the automatic checks and of operators, the blocking ones first. */
export function FeedbackList({ feedback }: { feedback: Feedback[] }) {
  if (feedback.length === 0)
    return (
      <Text size="sm" c="dimmed">
        No findings.
      </Text>
    );
  const isBlocking = ({ severity }: Feedback) => severity === 'blocking';
  const sorted = feedback.toSorted((one, other) => Number(isBlocking(other)) - Number(isBlocking(one)));
  return (
    <ul className="findings">
      {sorted.map((item) => (
        <li key={item.id} className="finding" data-blocking={isBlocking(item) || undefined}>
          <div className="finding-head">
            <Status tone={isBlocking(item) ? 'bad' : 'held'} word={isBlocking(item) ? 'Blocking' : 'Advice'} />
            <span>{item.source === 'automatic' ? 'Automatic check' : 'Operator'}</span>
            <span className="id">{item.code}</span>
            {item.path && <span className="id">{item.path}</span>}
          </div>
          <pre className="written">{item.message}</pre>
        </li>
      ))}
    </ul>
  );
}

/** The comments of publisher and operators. */
export function CommentList({ comments }: { comments: { author: string; message: string; created_at: string }[] }) {
  if (comments.length === 0)
    return (
      <Text size="sm" c="dimmed">
        No comments.
      </Text>
    );
  return (
    <ul className="findings">
      {comments.map((comment, at) => (
        <li key={at}>
          <Text span size="xs" c="dimmed">
            {comment.author}, <DateTime at={comment.created_at} />
          </Text>
          <pre className="written">{comment.message}</pre>
        </li>
      ))}
    </ul>
  );
}
