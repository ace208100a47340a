import { Button, Stack, Text } from '@mantine/core';
import { Confirmed, type Change } from './Confirmed.tsx';
import { capitalised } from './capitalised.ts';

interface Move<Input> {
  label: 'Approve' | 'Reject' | 'Withdraw';
  /** What follows from it. */
  follows: string;
  input: Input;
}

interface Decided<Input> {
  /** What is decided: its kind, as `adjustment`, and in words, as `a credit of $5.00`. */
  kind: string;
  subject: string;
  change: Change<Input>;
}

/** The buttons of a decision that takes a second operator; each asks first. */
export function DecisionButtons<Input extends object>({
  approval,
  refusal,
  ...decided
}: Decided<Input> & {
  /** False where another operator has to approve it. */
  approval: Move<Input> | false;
  refusal: Move<Input>;
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

function MoveButton<Input extends object>({
  kind,
  subject,
  change,
  move: { label, follows, input },
  isGrant = false,
}: Decided<Input> & { move: Move<Input>; isGrant?: boolean }) {
  return (
    <Confirmed
      title={`${label} this ${kind}?`}
      confirmLabel={`${label} ${kind}`}
      isGrant={isGrant}
      change={change}
      input={input}
      trigger={(ask) => (
        <Button size="xs" variant={isGrant ? 'filled' : 'default'} disabled={change.isPending} onClick={ask}>
          {label}
          <span className="for-readers"> {subject}</span>
        </Button>
      )}
    >
      <b>{capitalised(subject)}</b>
      <br />
      {follows}
    </Confirmed>
  );
}
