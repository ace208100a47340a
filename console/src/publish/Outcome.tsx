import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { api, send } from '../api/client.ts';
import { sentenceOf } from '../api/failure.ts';
import { useAnswer, useChange } from '../api/hooks.ts';
import { useMe } from '../api/me.ts';
import { pageAt } from '../parts/pageAt.ts';
import { Panel } from '../parts/Panel.tsx';
import { Status } from '../parts/Status.tsx';
import type { Configuration, Deployment, Feedback, PublisherAgent } from './configuration.ts';
import { fieldAt, linesOf, valueAt } from './fields.ts';

const TITLES: Partial<Record<Deployment['status'], string>> = {
  changes_requested: 'What to change',
  rejected: 'Why it was rejected',
  suspended: 'Why it was suspended',
};

/** Whether a submission has an outcome that its publisher acts on. */
export const needsAction = ({ status }: Deployment): boolean => TITLES[status] !== undefined;

/**
 * What became of a submission: each finding with the field of the version that it is about, the reviewer's words, whether the draft has
 * changed there since, and the way to that field; then the draft is submitted again.
 */
export function Outcome({
  agent,
  draft,
  submission,
}: {
  agent: PublisherAgent;
  draft: Configuration;
  submission: Deployment;
}) {
  const { version_id } = submission;
  const version = useAnswer(['publisher', 'versions', version_id], (signal) =>
    api.GET('/v1/publisher/agent-versions/{version_id}', { params: { path: { version_id } }, signal }),
  );
  const of = (severity: Feedback['severity']) => submission.review_feedback.filter((one) => one.severity === severity);
  const [blocking, advice] = [of('blocking'), of('advisory')];
  const items = (feedback: Feedback[]) =>
    feedback.map((item) => (
      <Finding key={item.id} agentId={agent.id} item={item} version={version.data?.configuration} draft={draft} />
    ));
  return (
    <Panel title={TITLES[submission.status] ?? 'Findings'}>
      <Stack>
        {blocking.length > 0 ? (
          <ol className="outcome">{items(blocking)}</ol>
        ) : (
          <Text size="sm">The reviewer named no field. Look at the comments below, and ask there.</Text>
        )}
        {advice.length > 0 && (
          <>
            <Text size="sm" fw={600}>
              Advice
            </Text>
            <ol className="outcome">{items(advice)}</ol>
          </>
        )}
        {submission.status !== 'suspended' && (
          <Resubmit agent={agent} isChanged={version.data && !isSame(version.data.configuration, draft)} />
        )}
      </Stack>
    </Panel>
  );
}

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

const EXCERPT = 300;

function Finding({
  agentId,
  item: { path, message, source, severity },
  version,
  draft,
}: {
  agentId: string;
  item: Feedback;
  version: Configuration | undefined;
  draft: Configuration;
}) {
  const { label, step, member } = fieldAt(path);
  const [was, is] = [valueAt(version, path), valueAt(draft, path)];
  const isChanged = version !== undefined && !isSame(was, is);
  const excerpt = path === '' || was === undefined || was === null ? '' : linesOf(was, path);
  return (
    <li className="outcome-item">
      <div className="outcome-head">
        <b>{label}</b>
        <Status
          tone={isChanged ? 'good' : severity === 'blocking' ? 'bad' : 'quiet'}
          word={isChanged ? 'Changed in the draft' : 'Not changed yet'}
        />
        <Button
          component={Link}
          {...pageAt(`/publish/${agentId}`, { step, ...(member !== undefined && { field: member }) })}
          size="xs"
          variant="default"
          aria-label={`Edit ${label}`}
        >
          Edit
        </Button>
      </div>
      <pre className="written">{message}</pre>
      <Text size="xs" c="dimmed">
        {source === 'automatic' ? 'Automatic check' : 'Reviewer'}
      </Text>
      {excerpt !== '' && (
        <details>
          <summary>As it was submitted</summary>
          <pre className="diff">{excerpt.length > EXCERPT ? `${excerpt.slice(0, EXCERPT)}…` : excerpt}</pre>
        </details>
      )}
    </li>
  );
}

/** Submits the saved draft. An unchanged one would get the same answer. */
function Resubmit({ agent, isChanged }: { agent: PublisherAgent; isChanged: boolean | undefined }) {
  const { mode } = useMe();
  const submit = useChange(
    () =>
      send(`/v1/publisher/agents/${agent.id}/submit-public`, {
        method: 'POST',
        headers: {
          'if-match': `"draft-${agent.draft_revision}"`,
          ...(mode === 'test' && { 'x-test-review': 'wait' }),
        },
      }),
    { stale: [['publisher']], done: 'Submitted for review', onError: () => {} },
  );
  return (
    <Stack gap="xs">
      {submit.error && <Alert color="red">{sentenceOf(submit.error)}</Alert>}
      <Group>
        <Button loading={submit.isPending} disabled={!isChanged} onClick={() => submit.mutate(undefined)}>
          Submit again
        </Button>
        {isChanged === false && (
          <Text size="sm" c="dimmed">
            The draft is what was submitted. Change it first.
          </Text>
        )}
      </Group>
    </Stack>
  );
}
