import { Alert, Button, Group, NumberInput, Select, SimpleGrid, Stack, Text, Textarea } from '@mantine/core';
import { useState } from 'react';
import { sendJson } from '../api/client.ts';
import { useChange } from '../api/hooks.ts';
import type { components } from '../api/openapi.d.ts';
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

const WEIGHTS = [
  { value: 'blocking', label: 'Must change' },
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
  const places = ['', ...Object.keys(review.configuration).map((name) => `/${name}`)];
  return (
    <Panel title="Decide" description={done || undefined}>
      <Stack gap="sm">
        <Textarea
          label="Remark for the publisher"
          autosize
          minRows={2}
          maxLength={5000}
          value={message}
          onChange={(event) => setMessage(event.currentTarget.value)}
        />
        <SimpleGrid cols={{ base: 1, xs: 2 }}>
          <Select
            label="About"
            data={places.map((value) => ({ value, label: value || 'the whole' }))}
            value={path}
            allowDeselect={false}
            onChange={(value) => setPath(value ?? '')}
          />
          <Select
            label="Weight"
            data={WEIGHTS}
            value={severity}
            allowDeselect={false}
            onChange={(value) => setSeverity(value ?? 'blocking')}
          />
        </SimpleGrid>
        {review.status === 'in_review' && (
          <Share percentage={percentage} plan={review.rollout} onChange={setPercentage} />
        )}
        <Group>
          {moves.map((move) => (
            <Button
              key={move}
              variant={move === 'approve' || move === 'reinstate' ? 'filled' : 'default'}
              loading={decide.isPending && decide.variables === move}
              disabled={decide.isPending || (['request-changes', 'reject'].includes(move) && !message.trim())}
              onClick={() => decide.mutate(move)}
            >
              {LABELS[move]}
            </Button>
          ))}
        </Group>
        {review.status === 'in_review' && (
          <Text size="sm" c="dimmed">
            Changes and a rejection need a remark.
          </Text>
        )}
      </Stack>
    </Panel>
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
  const usual = 'Below 100 it grows in steps, or is taken back, by its results.';
  return (
    <NumberInput
      label="Approve for new sessions (%)"
      description={plan ? `Unchanged, the publisher’s steps below count. ${usual}` : usual}
      min={1}
      max={100}
      allowDecimal={false}
      value={percentage ?? plan?.percentage ?? 100}
      onChange={(value) => onChange(Number(value) || 100)}
    />
  );
}
