import { Button, Stack, Text } from '@mantine/core';
import { Confirmed } from './Confirmed.tsx';

interface Move {
  label: 'Approve' | 'Reject' | 'Withdraw';
  /** What follows from it. */
  follows: string;
  decide: (options: { onSuccess: () => void }) => void;
}

interface Decided {
  /** What is decided: its kind, as `adjustment`, and in words, as `a credit of $5.00`. */
  kind: string;
  subject: string;
  isPending: boolean;
}

/** The buttons of a decision that takes a second operator; each asks first. */
export function DecisionButtons({
  approval,
  refusal,
  ...decided
}: Decided & {
  /** False where another operator has to approve it. */
  approval: Move | false;
  refusal: Move;
}) {
  return (
    <Stack gap={4}>
      <div className="row-buttons">
        {approval && <MoveButton {...decided} move={approval} isGrant />}
        <MoveButton {...decided} move={refusal} />
      </div>
      {!approval && (
        <Text size="xs" c="dimmed">
          Another operator approves it
        </Text>
      )}
    </Stack>
  );
}

function MoveButton({
  kind,
  subject,
  isPending,
  move: { label, follows, decide },
  isGrant = false,
}: Decided & { move: Move; isGrant?: boolean }) {
  return (
    <Confirmed
      title={`${label} this ${kind}?`}
      confirmLabel={`${label} ${kind}`}
      isGrant={isGrant}
      change={{ isPending, mutate: (_, options) => decide(options) }}
      trigger={(ask) => (
        <Button size="xs" variant={isGrant ? 'filled' : 'default'} disabled={isPending} onClick={ask}>
          {label}
          <span className="for-readers"> {subject}</span>
        </Button>
      )}
    >
      <b>{subject.charAt(0).toUpperCase() + subject.slice(1)}</b>
      <br />
      {follows}
    </Confirmed>
  );
}
