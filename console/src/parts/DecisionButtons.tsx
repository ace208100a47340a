import { Button, Stack, Text } from '@mantine/core';

/** The buttons of a decision that takes a second operator. `subject` says to a screen reader what is decided. */
export function DecisionButtons({
  subject,
  mayApprove,
  refusal,
  isDisabled,
  onApprove,
  onRefuse,
}: {
  subject: string;
  mayApprove: boolean;
  /** What the other button says. */
  refusal: 'Reject' | 'Withdraw';
  isDisabled: boolean;
  onApprove: () => void;
  onRefuse: () => void;
}) {
  const what = <span className="for-readers"> {subject}</span>;
  return (
    <Stack gap={4}>
      <div className="row-buttons">
        {mayApprove && (
          <Button size="xs" disabled={isDisabled} onClick={onApprove}>
            Approve{what}
          </Button>
        )}
        <Button size="xs" variant="default" disabled={isDisabled} onClick={onRefuse}>
          {refusal}
          {what}
        </Button>
      </div>
      {!mayApprove && (
        <Text size="xs" c="dimmed">
          Another operator approves it
        </Text>
      )}
    </Stack>
  );
}
