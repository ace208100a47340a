import '../parts/work.css';
import { Button, Group, Stack, Text } from '@mantine/core';
import { answerOf, api } from '../api/client.ts';
import { useChange } from '../api/hooks.ts';
import { CopiedId } from '../parts/CopiedId.tsx';
import { DateTime, durationText } from '../parts/figures.tsx';
import { indented } from '../parts/readable.ts';
import { Status } from '../parts/Status.tsx';
import type { Delivery } from './endpoints.ts';

/** One delivery: what was sent, each answer to it, and the button that sends it again. */
export function DeliveryView({ delivery, mayRedeliver }: { delivery: Delivery; mayRedeliver: boolean }) {
  const { event_id: eventId, status, created_at: at, next_try_at: next, attempts, request_body: body } = delivery;
  return (
    <Stack>
      <Group justify="space-between">
        <Text size="sm" c="dimmed" component="div">
          <CopiedId id={eventId} name="Copy the event ID" />
          <div>
            <DateTime at={at} />
            {next && status === 'pending' && (
              <>
                , next attempt <DateTime at={next} />
              </>
            )}
          </div>
        </Text>
        {mayRedeliver && <Redeliver delivery={delivery} />}
      </Group>
      <div>
        <Text size="sm" fw={600} mb={4}>
          Request body
        </Text>
        <pre className="code file-text" tabIndex={0} role="group" aria-label={`Body of ${eventId}`}>
          {body === null ? 'The event has been deleted.' : indented(body)}
        </pre>
      </div>
      {attempts.map((attempt, index) => (
        <AttemptView key={attempt.id} attempt={attempt} number={index + 1} />
      ))}
    </Stack>
  );
}

function AttemptView({ attempt, number }: { attempt: Delivery['attempts'][number]; number: number }) {
  const { response_status: status, response_body: body, error, duration_ms: ms, created_at: at } = attempt;
  const isGood = status !== null && status < 300;
  return (
    <div>
      <Group justify="space-between" mb={4}>
        <Text size="sm" fw={600}>
          Attempt {number}
        </Text>
        <Text size="sm" component="div">
          <Status tone={isGood ? 'good' : 'bad'} word={status === null ? 'No answer' : String(status)} /> after{' '}
          {durationText(ms)}, <DateTime at={at} />
        </Text>
      </Group>
      {error && (
        <Text size="sm" className="text-bad">
          {error}
        </Text>
      )}
      {body && (
        <pre className="code file-text" tabIndex={0} role="group" aria-label={`Answer to attempt ${number}`}>
          {body}
        </pre>
      )}
    </div>
  );
}

function Redeliver({ delivery: { endpoint_id, event_id } }: { delivery: Delivery }) {
  const redeliver = useChange(
    () =>
      answerOf(
        api.POST('/platform/v1/events/{event_id}/redeliver', {
          params: { path: { event_id } },
          body: { endpoint_id },
        }),
      ),
    { stale: [['webhooks', endpoint_id, 'deliveries']], done: 'The event is sent again' },
  );
  return (
    <Button size="xs" variant="default" onClick={() => redeliver.mutate(undefined)} loading={redeliver.isPending}>
      Resend
    </Button>
  );
}
