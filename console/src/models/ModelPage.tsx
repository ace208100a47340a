import './models.css';
import { Button, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { api } from '../api/client.ts';
import { useAnswer } from '../api/hooks.ts';
import { useMe } from '../api/me.ts';
import { CodeSnippets } from '../parts/CodeSnippets.tsx';
import { CopiedId } from '../parts/CopiedId.tsx';
import { Figure, Figures } from '../parts/Figure.tsx';
import { durationText } from '../parts/figures.tsx';
import { PageFailure } from '../parts/PageFailure.tsx';
import { isPlayable, playgroundWith } from '../parts/playable.ts';
import { pageAt } from '../parts/pageAt.ts';
import { PageHeader } from '../parts/PageHeader.tsx';
import { PageStart } from '../parts/PageStart.tsx';
import { Panel } from '../parts/Panel.tsx';
import { usePathParam } from '../parts/usePathParam.ts';
import { contextOf, type Model } from '../playground/models.ts';
import { callsOf } from './modelCalls.ts';
import { speedText } from './modelFacts.ts';
import { kindName } from '../parts/modelKinds.ts';
import { ModelHistory } from './ModelHistory.tsx';
import { ModelPrices } from './ModelPrices.tsx';
import { ModelUpstreams } from './ModelUpstreams.tsx';
import { Uptime } from './Uptime.tsx';
import { useModelRows, type Performance } from './useModelRows.ts';
import { countOf } from '../parts/totals.tsx';

/** One model: what it costs and takes, how it answers, and how it is called. */
export default function ModelPage() {
  const id = usePathParam('id');
  const model = useAnswer(['models', 'one', id], (signal) =>
    api.GET('/v1/models/{id}', { params: { path: { id } }, signal }),
  );
  const { rows } = useModelRows();
  const { features } = useMe();
  if (model.error && !model.data) {
    const list = { path: '/models', name: 'All models' };
    return <PageFailure title="Model" id={id} error={model.error} retry={() => void model.refetch()} list={list} />;
  }
  if (!model.data) return <PageStart />;
  const { data } = model;
  const measured = rows?.find((row) => row.id === data.id)?.measured;
  return (
    <>
      <PageHeader
        title={data.name}
        description={<CopiedId id={data.id} name="Copy the ID of the model" />}
        actions={
          <>
            {isPlayable(data.kind) && (
              <Button component={Link} {...playgroundWith(data.id)}>
                Try it
              </Button>
            )}
            <Button component={Link} variant="default" {...pageAt('/requests', { model: data.id })}>
              Your requests
            </Button>
          </>
        }
      />
      <Measured model={data} measured={measured} />
      <div className="model-page">
        <div>
          <About model={data} />
          <ModelUpstreams measured={measured} />
          <Panel title="Call it">
            <CodeSnippets snippets={callsOf(features.api_url, data)} label="Call this model in" />
          </Panel>
          <ModelHistory id={data.id} />
        </div>
        <div>
          <ModelPrices model={data} />
          <Parameters model={data} />
        </div>
      </div>
    </>
  );
}

function Measured({ model, measured }: { model: Model; measured: Performance | undefined }) {
  const isText = model.kind === 'text';
  const latency = isText ? measured?.first_byte_ms : measured?.duration_ms;
  return (
    <Figures label="In the last hour">
      <Figure label={isText ? 'Time to first token' : 'Latency'} value={durationText(latency?.p50)}>
        {latency ? `p95 ${durationText(latency.p95)}` : 'No recent calls'}
      </Figure>
      {isText && (
        <Figure label="Throughput" value={speedText(measured)}>
          {typeof measured?.output_tokens_per_second === 'number' ? 'Median of streams' : 'No recent streams'}
        </Figure>
      )}
      <Figure label="Uptime" value={<Uptime of={measured} />}>
        {typeof measured?.success_rate === 'number' ? 'Calls without a fault here or upstream' : 'No recent calls'}
      </Figure>
      {isText && (
        <Figure label="Context" value={contextOf(model) ?? '—'}>
          {model.max_output_tokens ? `${countOf(model.max_output_tokens, 'token')} of output at most` : null}
        </Figure>
      )}
    </Figures>
  );
}

function About({ model }: { model: Model }) {
  const { kind, description, aliases, architecture } = model;
  return (
    <Panel title="About" description={`${kindName(kind)} · ${architecture.modality.replaceAll('->', ' → ')}`}>
      <Text size="sm">{description}</Text>
      {aliases.length > 0 && (
        <>
          <Text size="xs" c="dimmed" mt="md" mb={6}>
            It answers to these names too
          </Text>
          <Words words={aliases} />
        </>
      )}
    </Panel>
  );
}

const Parameters = ({ model }: { model: Model }) => (
  <Panel title="Parameters" description="Others are refused by name.">
    <Words words={model.supported_parameters} />
  </Panel>
);

const Words = ({ words }: { words: string[] }) => (
  <ul className="model-words">
    {words.map((word) => (
      <li key={word} className="id">
        {word}
      </li>
    ))}
  </ul>
);
