import '../parts/work.css';
import { Alert, Skeleton, Stack, Text } from '@mantine/core';
import { Link, useParams } from '@tanstack/react-router';
import { api } from '../api/client.ts';
import { useAnswer } from '../api/hooks.ts';
import type { components } from '../api/openapi.d.ts';
import { countText, durationText } from '../parts/figures.tsx';
import { Money } from '../parts/Money.tsx';
import { PageFailure } from '../parts/PageFailure.tsx';
import { PageHeader } from '../parts/PageHeader.tsx';
import { Panel } from '../parts/Panel.tsx';
import { RunStatus } from './RunStatus.tsx';

type Comparison = components['schemas']['RunComparison'];
type Side = Comparison['first'];
type Pair = Comparison['steps'][number];
type Step = NonNullable<Pair['first']>;

const STATES: Record<Pair['state'], [text: string, look: string]> = {
  same: ['Same', ''],
  changed: ['Changed', 'text-warn'],
  only_first: ['Only in the first', 'text-bad'],
  only_second: ['Only in the second', 'text-good'],
};

/** Two runs side by side: totals, outputs, and each step with the other's. */
export default function ComparePage() {
  const { id, other } = useParams({ strict: false }) as { id: string; other: string };
  const compared = useAnswer(['runs', id, 'compare', other], (signal) =>
    api.GET('/v1/runs/{run_id}/compare', { params: { path: { run_id: id }, query: { with: other } }, signal }),
  );
  if (compared.error && !compared.data) {
    const list = { path: '/runs', name: 'All runs' };
    return (
      <PageFailure
        title="Comparison"
        id={id}
        error={compared.error}
        retry={() => void compared.refetch()}
        list={list}
      />
    );
  }
  return (
    <>
      <PageHeader title="Comparison of two runs" description="The first run at the left, the second at the right." />
      {compared.data ? <Sides comparison={compared.data} /> : <Skeleton height={240} />}
    </>
  );
}

function Sides({ comparison: { first, second, steps, is_output_same: isSame } }: { comparison: Comparison }) {
  return (
    <Stack gap="lg">
      <Panel title="Totals">
        <div className="compared">
          <Totals side={first} />
          <Totals side={second} />
        </div>
      </Panel>
      <Panel title="Steps">
        {steps.length === 0 && <Text c="dimmed">Neither run has a step.</Text>}
        <ol className="run-steps">
          {steps.map((pair) => (
            <PairedSteps key={`${pair.first?.id} ${pair.second?.id}`} pair={pair} />
          ))}
        </ol>
      </Panel>
      <Panel title="Output" description={isSame ? 'Both runs have the same output.' : undefined}>
        <div className="compared">
          <Output side={first} />
          <Output side={second} />
        </div>
      </Panel>
    </Stack>
  );
}

function Totals({ side }: { side: Side }) {
  const facts: [string, React.ReactNode][] = [
    ['Status', <RunStatus key="status" status={side.status} />],
    ['Version', side.version],
    ['Steps', side.reused_steps > 0 ? `${side.steps}, ${side.reused_steps} of them reused` : side.steps],
    ['Tokens', `${countText(side.input_tokens)} in, ${countText(side.output_tokens)} out`],
    ['Took', durationText(side.duration_seconds === null ? null : side.duration_seconds * 1000)],
    ['Cost', <Money key="cost" usd={side.total_usd} />],
  ];
  return (
    <div>
      <Link className="id" {...{ to: `/runs/${side.id}` }}>
        {side.id}
      </Link>
      <dl className="facts">
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {side.error && (
        <Alert color="red" mt="sm">
          {side.error.message}
        </Alert>
      )}
    </div>
  );
}

function PairedSteps({ pair: { state, first, second } }: { pair: Pair }) {
  const { kind, name } = (first ?? second)!;
  const [text, look] = STATES[state];
  return (
    <li className="run-step">
      <details open={state !== 'same'}>
        <summary>
          <span className="step-name">
            <span className="step-kind">{kind}</span> {name}
          </span>
          <span className={`status ${look}`}>{text}</span>
        </summary>
        <div className="compared step-details">
          <OneStep step={first} />
          <OneStep step={second} />
        </div>
      </details>
    </li>
  );
}

function OneStep({ step }: { step: Step | null }) {
  if (!step) return <Text c="dimmed">No such step.</Text>;
  return (
    <Stack gap="xs">
      <Text size="sm">
        Step {step.number}, {step.reused_from ? 'reused' : step.status.replaceAll('_', ' ')},{' '}
        {durationText(step.duration_ms)}, <Money usd={step.cost_usd} />
        {step.output_tokens !== null && `, ${countText(step.output_tokens)} tokens out`}
        {step.error_code && `, ${step.error_code}`}
      </Text>
      {step.arguments !== null && (
        <pre className="code" tabIndex={0}>
          {step.arguments}
        </pre>
      )}
      {step.result_preview !== null && step.result_preview !== '' && (
        <pre className="written" tabIndex={0}>
          {step.result_preview}
          {step.result_truncated && '…'}
        </pre>
      )}
    </Stack>
  );
}

function Output({ side }: { side: Side }) {
  if (side.output.length === 0) return <Text c="dimmed">It wrote nothing.</Text>;
  return (
    <Stack gap="xs">
      {side.output.map((item, at) => (
        <pre key={at} className="written" tabIndex={0}>
          {item.type === 'output_text'
            ? item.text
            : item.type === 'output_file'
              ? item.filename
              : JSON.stringify(item.data, null, 2)}
        </pre>
      ))}
    </Stack>
  );
}
