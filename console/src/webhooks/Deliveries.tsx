import { Button, Group, Select, Stack, Text } from '@mantine/core';
import { answerOf, api } from '../api/client.ts';
import { useChange, usePages } from '../api/hooks.ts';
import { TableFailure } from '../parts/DataTable.tsx';
import { DateTime, durationText } from '../parts/figures.tsx';
import { Panel } from '../parts/Panel.tsx';
import { useSearchState } from '../parts/useSearchState.ts';
import type { Delivery } from './endpoints.ts';

const LIVE_MS = 2_000;

const STATES: Record<Delivery['status'], [words: string, look: string]> = {
  pending: ['Waiting', 'text-warn'],
  delivered: ['Delivered', 'text-good'],
  failed: ['Failed', 'text-bad'],
  cancelled: ['Cancelled', ''],
};

/** The requests to an endpoint, newest first: body, answers, and the button to resend. */
export function Deliveries({ endpointId, mayRedeliver }: { endpointId: string; mayRedeliver: boolean }) {
  const [{ status }, setSearch] = useSearchState();
  const query = { ...(status && status in STATES && { status: status as Delivery['status'] }) };
  const deliveries = usePages<Delivery>(
    ['webhooks', endpointId, 'deliveries', query],
    (cursor, signal) =>
      api.GET('/platform/v1/webhook_endpoints/{endpoint_id}/deliveries', {
        params: { path: { endpoint_id: endpointId }, query: { ...query, cursor } },
        signal,
      }),
    { liveMs: LIVE_MS },
  );
  const { rows, error, retry, hasMore, isLoadingMore, loadMore } = deliveries;
  return (
    <Panel
      title="Deliveries"
      actions={
        <Select
          aria-label="Show deliveries"
          placeholder="All"
          clearable
          data={Object.entries(STATES).map(([value, [label]]) => ({ value, label }))}
          value={status ?? null}
          onChange={(value) => setSearch({ status: value ?? '' })}
          clearButtonProps={{ 'aria-label': 'Show deliveries of every state' }}
        />
      }
    >
      {error && !rows && <TableFailure error={error} retry={retry} />}
      {rows?.length === 0 && <Text c="dimmed">Nothing was sent yet. Send a test.</Text>}
      <Stack gap="sm">
        {rows?.map((delivery) => (
          <DeliveryView key={delivery.id} delivery={delivery} mayRedeliver={mayRedeliver} />
        ))}
        {hasMore && (
          <Group>
            <Button variant="default" onClick={loadMore} loading={isLoadingMore}>
              Show more
            </Button>
          </Group>
        )}
      </Stack>
    </Panel>
  );
}

function DeliveryView({ delivery, mayRedeliver }: { delivery: Delivery; mayRedeliver: boolean }) {
  const { event_type: type, event_id: eventId, status, created_at: at, next_try_at: next, attempts } = delivery;
  const [words, look] = STATES[status];
  const last = attempts.at(-1);
  return (
    <details className="file">
      <summary className="delivery">
        <span className="delivery-type">{type}</span>
        <span className={`status ${look}`}>{words}</span>
        <span className="cell-sub">{last?.response_status ? `answer ${last.response_status}` : last?.error}</span>
        <DateTime at={at} />
      </summary>
      <Stack gap="sm" mt="sm">
        <Text size="sm" c="dimmed">
          Event <span className="id">{eventId}</span>
          {next && status === 'pending' && (
            <>
              , next attempt <DateTime at={next} />
            </>
          )}
        </Text>
        <Text size="sm" fw={600}>
          Sent
        </Text>
        <pre className="code file-text" tabIndex={0} role="group" aria-label={`Body of ${eventId}`}>
          {delivery.request_body === null ? 'The event has been deleted.' : indented(delivery.request_body)}
        </pre>
        {attempts.map((attempt, index) => (
          <AttemptView key={attempt.id} attempt={attempt} number={index + 1} />
        ))}
        {mayRedeliver && <Redeliver delivery={delivery} />}
      </Stack>
    </details>
  );
}

function AttemptView({ attempt, number }: { attempt: Delivery['attempts'][number]; number: number }) {
  const { response_status: status, response_body: body, error, duration_ms: tookMs, created_at: at } = attempt;
  return (
    <div>
      <Text size="sm">
        <strong>Attempt {number}</strong>: {status === null ? 'no answer' : `answer ${status}`} after{' '}
        {durationText(tookMs)}, <DateTime at={at} />
      </Text>
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
    <Group>
      <Button size="xs" variant="default" onClick={() => redeliver.mutate(undefined)} loading={redeliver.isPending}>
        Send again
      </Button>
    </Group>
  );
}

/** JSON with a line for each member; other text unchanged. */
function indented(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
