import './runs.css';
import { Alert, Skeleton, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { api } from '../api/client.ts';
import { useAnswer } from '../api/hooks.ts';
import type { components } from '../api/openapi.d.ts';
import { countText, durationText, secondsText } from '../parts/figures.tsx';
import { Money } from '../parts/Money.tsx';
import { sumText } from '../parts/nanos.ts';
import { PageFailure } from '../parts/PageFailure.tsx';
import { PageHeader } from '../parts/PageHeader.tsx';
import { Panel } from '../parts/Panel.tsx';
import { Readable } from '../parts/Readable.tsx';
import { Status, type Tone } from '../parts/Status.tsx';
import { usePathParam } from '../parts/usePathParam.ts';
import { OutputItems } from './RunOutput.tsx';
import { RunStatus } from './RunStatus.tsx';
import { StepIcon } from './StepIcon.tsx';
import { countOf } from '../parts/totals.tsx';

type Comparison = components['schemas']['RunComparison'];
type Side = Comparison['first'];
type Pair = Comparison['steps'][number];
type Step = NonNullable<Pair['first']>;

const STATES: Record<Pair['state'], [word: string, tone: Tone]> = {
  same: ['Same', 'quiet'],
  changed: ['Changed', 'held'],
  only_first: ['First run only', 'bad'],
  only_second: ['Second run only', 'good'],
};

/** Two runs side by side: totals, outputs, and each step with the other's. */
export default function ComparePage() {
  const id = usePathParam('id');
  const other = usePathParam('other');
  const compared = useAnswer(['runs', id, 'compare', other], (signal) =>
    api.GET('/v1/runs/{run_id}/compare', { params: { path: { run_id: id }, query: { with: other } }, signal }),
  );
  if (compared.error && !compared.data) {
    const list = { path: '/runs', name: 'All runs' };
    const retry = () => void compared.refetch();
    return <PageFailure title="Compare runs" id={id} error={compared.error} retry={retry} list={list} />;
  }
  return (
    <>
      <PageHeader title="Compare runs" />
      {compared.data ? <Sides comparison={compared.data} /> : <Skeleton height={240} radius="md" />}
    </>
  );
}

function Sides({ comparison: { first, second, steps, is_output_same: isSame } }: { comparison: Comparison }) {
  return (
    <Stack gap="sm">
      <div className="compared">
        <Totals title="First run" side={first} />
        <Totals title="Second run" side={second} before={first} />
      </div>
      <Panel title="Output" description={isSame ? 'The same in both runs.' : 'The outputs differ.'}>
        <div className="compared">
          <Output side={first} />
          <Output side={second} />
        </div>
      </Panel>
      <Panel title="Steps">
        {steps.length === 0 && <Text c="dimmed">Neither run has steps.</Text>}
        <ol className="pairs">
          {steps.map((pair) => (
            <PairedSteps key={`${pair.first?.id} ${pair.second?.id}`} pair={pair} />
          ))}
        </ol>
      </Panel>
    </Stack>
  );
}

function Totals({ title, side, before }: { title: string; side: Side; before?: Side }) {
  const facts: [string, ReactNode][] = [
    ['Status', <RunStatus key="status" status={side.status} />],
    [
      'Cost',
      <span key="cost">
        <Money usd={side.total_usd} />
        {before && before.total_usd !== side.total_usd && (
          <Text span size="xs" c="dimmed">
            {' '}
            <Money usd={sumText([side.total_usd, -before.total_usd])} hasSign />
          </Text>
        )}
      </span>,
    ],
    ['Steps', side.reused_steps > 0 ? `${side.steps}, ${side.reused_steps} reused` : side.steps],
    ['Tokens', `${countText(side.input_tokens)} in / ${countText(side.output_tokens)} out`],
    ['Duration', secondsText(side.duration_seconds)],
    ['Version', side.version],
  ];
  return (
    <Panel
      title={title}
      description={
        <Link className="id text-good" {...{ to: `/runs/${side.id}` }}>
          {side.id}
        </Link>
      }
    >
      <dl className="step-facts">
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
    </Panel>
  );
}

function PairedSteps({ pair: { state, first, second } }: { pair: Pair }) {
  const step = (first ?? second)!;
  const [word, tone] = STATES[state];
  return (
    <li className="pair">
      <details open={state !== 'same'}>
        <summary>
          <StepIcon step={step} />
          <span className="pair-name">{step.name}</span>
          <Status tone={tone} word={word} />
        </summary>
        <div className="compared">
          <OneStep step={first} />
          <OneStep step={second} />
        </div>
      </details>
    </li>
  );
}

function OneStep({ step }: { step: Step | null }) {
  if (!step)
    return (
      <Text size="sm" c="dimmed">
        Not in this run.
      </Text>
    );
  const result = step.result_preview;
  return (
    <Stack gap="xs">
      <Text size="xs" c="dimmed">
        Step {step.number}, {step.reused_from ? 'reused' : step.status.replaceAll('_', ' ')},{' '}
        {durationText(step.duration_ms)}, <Money usd={step.cost_usd} />
        {step.output_tokens !== null && `, ${countOf(step.output_tokens, 'token')} out`}
        {step.error_code && `, ${step.error_code}`}
      </Text>
      {step.arguments !== null && <Readable title="Input" text={step.arguments} />}
      {result !== null && result !== '' && (
        <Readable title={step.result_truncated ? 'Output (beginning)' : 'Output'} text={result} />
      )}
    </Stack>
  );
}

function Output({ side }: { side: Side }) {
  if (side.output.length === 0)
    return (
      <Text size="sm" c="dimmed">
        No output.
      </Text>
    );
  return (
    <Stack gap="sm">
      {side.output.map(
        (item, at) => item.type === 'output_text' && <Readable key={at} title="Text" text={item.text} isMarkdown />,
      )}
      <OutputItems items={side.output} />
    </Stack>
  );
}
