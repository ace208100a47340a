import { Alert, Button, Group, NumberInput, Select, SimpleGrid, Stack, Textarea } from '@mantine/core';
import { useState } from 'react';
import { sendJson } from '../api/client.ts';
import { useChange } from '../api/hooks.ts';
import type { components } from '../api/openapi.d.ts';
import { Confirmed } from '../parts/Confirmed.tsx';
import { Panel } from '../parts/Panel.tsx';

type Review = components['schemas']['ReviewDetail'];
type Move = 'approve' | 'request-changes' | 'reject' | 'suspend' | 'reinstate';

const LABELS: Record<Move, string> = {
  approve: 'Approve',
  'request-changes': 'Request changes',
  reject: 'Reject',
  suspend: 'Suspend',
  reinstate: 'Reinstate',
};
const MOVES: Partial<Record<Review['status'], Move[]>> = {
  in_review: ['approve', 'request-changes', 'reject'],
  active: ['suspend'],
  suspended: ['reinstate'],
};
const DONE: Record<Move, string> = {
  approve: 'Approved: it is public now.',
  'request-changes': 'The publisher is asked for changes.',
  reject: 'Rejected.',
  suspend: 'Suspended: new runs are refused.',
  reinstate: 'It is public again.',
};
/** The moves that ask first, with what follows from them. */
const ASKED: Partial<Record<Move, { title: string; follows: string }>> = {
  approve: {
    title: 'Approve this version?',
    follows: 'Everybody who calls agents can run it from then on, and its publisher earns from it.',
  },
  reject: {
    title: 'Reject this version?',
    follows: 'The publisher reads the remark. To publish the agent, they submit a new version.',
  },
  suspend: {
    title: 'Suspend this agent?',
    follows:
      'New runs are refused, and those in a queue fail at no cost. Runs in progress go on. It can be reinstated.',
  },
};

const WEIGHTS = [
  { value: 'blocking', label: 'Blocking' },
  { value: 'advisory', label: 'Advice' },
];

/** Decides on a submission, with a remark at a part of the configuration for its publisher. */
export function Decision({ review }: { review: Review }) {
  const [message, setMessage] = useState('');
  const [path, setPath] = useState('');
  const [severity, setSeverity] = useState('blocking');
  const [percentage, setPercentage] = useState<number | null>(null);
  const moves = MOVES[review.status] ?? [];
  const decide = useChange(
    (move: Move) => {
      const feedback = message.trim() ? [{ severity, path, message: message.trim() }] : [];
      const rollout = move === 'approve' && percentage !== null && { rollout_percentage: percentage };
      return sendJson(`/console/v1/deployments/${review.id}/${move}`, { feedback, ...rollout });
    },
    { stale: [['reviews'], ['audit'], ['agents']], onSuccess: () => setMessage('') },
  );
  const done = decide.isSuccess && DONE[decide.variables];
  if (moves.length === 0) return done ? <Alert color="green">{done}</Alert> : null;
  const lead = moves.find((move) => move === 'approve' || move === 'reinstate');
  const others = moves.filter((move) => move !== lead);
  const button = (move: Move) => (
    <MoveButton
      key={move}
      move={move}
      isLead={move === lead}
      isPending={decide.isPending && decide.variables === move}
      isDisabled={decide.isPending || (['request-changes', 'reject'].includes(move) && !message.trim())}
      decide={decide.mutate}
    />
  );
  const places = ['', ...Object.keys(review.configuration).map((name) => `/${name}`)];
  return (
    <Panel title="Decision" description={<span role="status">{done}</span>}>
      <Stack gap="sm">
        {review.status === 'in_review' && (
          <Share percentage={percentage} plan={review.rollout} onChange={setPercentage} />
        )}
        {lead && button(lead)}
        <Textarea
          label="Remark for the publisher"
          description={review.status === 'in_review' ? 'Required to request changes or reject' : undefined}
          autosize
          minRows={2}
          maxLength={5000}
          value={message}
          onChange={(event) => setMessage(event.currentTarget.value)}
        />
        <RemarkPlace {...{ places, path, severity }} onPath={setPath} onSeverity={setSeverity} />
        {others.length > 0 && (
          <Group gap="xs" grow>
            {others.map(button)}
          </Group>
        )}
      </Stack>
    </Panel>
  );
}

/** The button of a move, which asks first where others are affected at once. */
function MoveButton({
  move,
  isLead,
  isPending,
  isDisabled,
  decide,
}: {
  move: Move;
  isLead: boolean;
  isPending: boolean;
  isDisabled: boolean;
  decide: (move: Move, options?: { onSuccess: () => void }) => void;
}) {
  const asked = ASKED[move];
  const button = (onClick: () => void) => (
    <Button variant={isLead ? 'filled' : 'default'} loading={isPending} disabled={isDisabled} onClick={onClick}>
      {LABELS[move]}
    </Button>
  );
  if (!asked) return button(() => decide(move));
  return (
    <Confirmed
      title={asked.title}
      confirmLabel={asked.title.slice(0, -1).replace('this ', '')}
      isGrant={isLead}
      change={{ isPending, mutate: decide }}
      input={move}
      trigger={button}
    >
      {asked.follows}
    </Confirmed>
  );
}

/** What the remark is about, and whether it blocks. */
function RemarkPlace({
  places,
  path,
  severity,
  onPath,
  onSeverity,
}: {
  places: string[];
  path: string;
  severity: string;
  onPath: (path: string) => void;
  onSeverity: (severity: string) => void;
}) {
  return (
    <SimpleGrid cols={2}>
      <Select
        label="About"
        data={places.map((value) => ({ value, label: value || 'The whole agent' }))}
        value={path}
        allowDeselect={false}
        onChange={(value) => onPath(value ?? '')}
      />
      <Select
        label="Severity"
        data={WEIGHTS}
        value={severity}
        allowDeselect={false}
        onChange={(value) => onSeverity(value ?? 'blocking')}
      />
    </SimpleGrid>
  );
}

/** The share of new sessions that an approved version gets at first. */
function Share({
  percentage,
  plan,
  onChange,
}: {
  percentage: number | null;
  plan: Review['rollout'];
  onChange: (percentage: number) => void;
}) {
  const usual = 'Below 100% it grows in steps, or is rolled back, by its results.';
  return (
    <NumberInput
      label="Share of new sessions"
      suffix="%"
      description={plan ? `Unchanged, the publisher’s steps below apply. ${usual}` : usual}
      min={1}
      max={100}
      allowDecimal={false}
      value={percentage ?? plan?.percentage ?? 100}
      onChange={(value) => onChange(Number(value) || 100)}
    />
  );
}
