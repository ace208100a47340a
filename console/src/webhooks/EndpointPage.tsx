import { Stack } from '@mantine/core';
import { api } from '../api/client.ts';
import { useAnswer } from '../api/hooks.ts';
import { useMe } from '../api/me.ts';
import { CodeSnippets } from '../parts/CodeSnippets.tsx';
import { CopiedId } from '../parts/CopiedId.tsx';
import { Figure, Figures } from '../parts/Figure.tsx';
import { Ago, DateTime } from '../parts/figures.tsx';
import { PageFailure } from '../parts/PageFailure.tsx';
import { PageHeader } from '../parts/PageHeader.tsx';
import { PageStart } from '../parts/PageStart.tsx';
import { Panel } from '../parts/Panel.tsx';
import { Status } from '../parts/Status.tsx';
import { usePathParam } from '../parts/usePathParam.ts';
import { Deliveries } from './Deliveries.tsx';
import { EndpointActions } from './EndpointActions.tsx';
import { eventsText, isForAll, mayChange, receivers, stateOf, type Endpoint } from './endpoints.ts';

const LIVE_MS = 5_000;

export default function EndpointPage() {
  const id = usePathParam('id');
  const params = { path: { endpoint_id: id } };
  const endpoint = useAnswer<Endpoint>(
    ['webhooks', id],
    (signal) => api.GET('/platform/v1/webhook_endpoints/{endpoint_id}', { params, signal }),
    { refetchInterval: LIVE_MS },
  );
  const me = useMe();
  if (endpoint.error && !endpoint.data) {
    const list = { path: '/webhooks', name: 'All endpoints' };
    const retry = () => void endpoint.refetch();
    return <PageFailure title="Webhook endpoint" id={id} error={endpoint.error} retry={retry} list={list} />;
  }
  if (!endpoint.data) return <PageStart />;
  const { url } = endpoint.data;
  const mayWrite = mayChange(me.scopes, endpoint.data);
  return (
    <>
      <PageHeader
        title="Webhook endpoint"
        description={<CopiedId id={url} name="Copy the URL" />}
        actions={mayWrite && <EndpointActions of={endpoint.data} />}
      />
      <Stack gap="lg" className="in-order">
        <Facts of={endpoint.data} />
        <Deliveries endpointId={id} mayRedeliver={mayWrite && !endpoint.data.disabled} />
        <Panel
          title="Receive and verify events"
          description="Deliveries are signed (Standard Webhooks). Answer with a 2xx status within 15 seconds."
        >
          <CodeSnippets snippets={receivers} label="A receiver in" />
        </Panel>
      </Stack>
    </>
  );
}

function Facts({ of: endpoint }: { of: Endpoint }) {
  const { tone, word, reason } = stateOf(endpoint);
  const { description, failing_since: since, previous_secret_expires_at: until, event_types: types } = endpoint;
  const text = (value: React.ReactNode) => <span className="figure-text">{value}</span>;
  return (
    <Figures label="Settings">
      <Figure label="Status" value={text(<Status tone={tone} word={word} />)}>
        {since ? (
          <>
            Failing since <DateTime at={since} />
          </>
        ) : (
          reason
        )}
      </Figure>
      <Figure label="Events" value={text(eventsText(endpoint))}>
        {isForAll(endpoint) ? 'Including types added later' : types.length > 1 && types.join(', ')}
      </Figure>
      <Figure label="Signing secret" value={text(until ? 'Rotating' : 'One secret')}>
        {until && (
          <>
            The old secret also signs until <DateTime at={until} />
          </>
        )}
      </Figure>
      <Figure label="Added" value={text(<Ago at={endpoint.created_at} />)}>
        {description}
      </Figure>
    </Figures>
  );
}
