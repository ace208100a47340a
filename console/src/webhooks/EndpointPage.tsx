import '../parts/work.css';
import { Button, Group, Skeleton, Stack } from '@mantine/core';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { answerOf, api } from '../api/client.ts';
import { useAnswer, useChange } from '../api/hooks.ts';
import { useMe } from '../api/me.ts';
import { CodeSnippets } from '../parts/CodeSnippets.tsx';
import { DateTime } from '../parts/figures.tsx';
import { PageFailure } from '../parts/PageFailure.tsx';
import { PageHeader } from '../parts/PageHeader.tsx';
import { Panel } from '../parts/Panel.tsx';
import { Deliveries } from './Deliveries.tsx';
import { DeleteEndpoint, EditEndpoint, RotateEndpointSecret } from './EndpointDialogs.tsx';
import { isForAll, receivers, stateOf, type Endpoint } from './endpoints.ts';

const LIVE_MS = 5_000;

export default function EndpointPage() {
  const { id } = useParams({ strict: false }) as { id: string };
  const params = { path: { endpoint_id: id } };
  const endpoint = useAnswer<Endpoint>(
    ['webhooks', id],
    (signal) => api.GET('/platform/v1/webhook_endpoints/{endpoint_id}', { params, signal }),
    { refetchInterval: LIVE_MS },
  );
  const mayWrite = useMe().scopes.includes('manage');
  if (endpoint.error && !endpoint.data) {
    const list = { path: '/webhooks', name: 'All endpoints' };
    const retry = () => void endpoint.refetch();
    return <PageFailure title="Webhook endpoint" id={id} error={endpoint.error} retry={retry} list={list} />;
  }
  if (!endpoint.data) return <Skeleton height={320} />;
  return (
    <>
      <PageHeader
        title="Webhook endpoint"
        description={<span className="id">{endpoint.data.url}</span>}
        actions={mayWrite && <Actions of={endpoint.data} />}
      />
      <Stack gap="lg">
        <Facts of={endpoint.data} />
        <Deliveries endpointId={id} mayRedeliver={mayWrite && !endpoint.data.disabled} />
        <Panel
          title="Receive and check events"
          description="Each delivery is signed as Standard Webhooks say; answer with any 2xx status within 15 seconds."
        >
          <CodeSnippets snippets={receivers} label="A receiver in" />
        </Panel>
      </Stack>
    </>
  );
}

function Facts({ of: endpoint }: { of: Endpoint }) {
  const [words, look] = stateOf(endpoint);
  const { description, failing_since: since, previous_secret_expires_at: until } = endpoint;
  return (
    <Panel title="Settings">
      <dl className="facts">
        <div>
          <dt>State</dt>
          <dd className={`status ${look}`}>{words}</dd>
        </div>
        {since && (
          <div>
            <dt>Failing since</dt>
            <dd>
              <DateTime at={since} />
            </dd>
          </div>
        )}
        <div>
          <dt>Events</dt>
          <dd>{isForAll(endpoint) ? 'All' : endpoint.event_types.join(', ')}</dd>
        </div>
        {description && (
          <div>
            <dt>Description</dt>
            <dd>{description}</dd>
          </div>
        )}
        {until && (
          <div>
            <dt>The earlier secret signs too until</dt>
            <dd>
              <DateTime at={until} />
            </dd>
          </div>
        )}
        <div>
          <dt>Added</dt>
          <dd>
            <DateTime at={endpoint.created_at} />
          </dd>
        </div>
      </dl>
    </Panel>
  );
}

function Actions({ of: endpoint }: { of: Endpoint }) {
  const [open, setOpen] = useState<'edit' | 'rotate' | 'delete' | null>(null);
  const params = { path: { endpoint_id: endpoint.id } };
  const test = useChange(() => answerOf(api.POST('/platform/v1/webhook_endpoints/{endpoint_id}/test', { params })), {
    stale: [['webhooks', endpoint.id, 'deliveries']],
    done: 'The test event is on its way',
  });
  const toggle = useChange(
    (disabled: boolean) =>
      answerOf(api.PATCH('/platform/v1/webhook_endpoints/{endpoint_id}', { params, body: { disabled } })),
    { stale: [['webhooks']] },
  );
  const close = () => setOpen(null);
  return (
    <Group gap="xs">
      <Button onClick={() => test.mutate(undefined)} loading={test.isPending} disabled={endpoint.disabled}>
        Send a test
      </Button>
      <Button variant="default" onClick={() => setOpen('edit')}>
        Change
      </Button>
      <Button variant="default" onClick={() => setOpen('rotate')}>
        Rotate the secret
      </Button>
      <Button variant="default" loading={toggle.isPending} onClick={() => toggle.mutate(!endpoint.disabled)}>
        {endpoint.disabled ? 'Switch on' : 'Switch off'}
      </Button>
      <Button color="red.8" onClick={() => setOpen('delete')}>
        Delete
      </Button>
      {open === 'edit' && <EditEndpoint of={endpoint} isOpen onClose={close} />}
      <RotateEndpointSecret of={endpoint} isOpen={open === 'rotate'} onClose={close} />
      <DeleteEndpoint of={endpoint} isOpen={open === 'delete'} onClose={close} />
    </Group>
  );
}
