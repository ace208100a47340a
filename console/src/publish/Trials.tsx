import '../runs/runs.css';
import './publish.css';
import { Anchor, SimpleGrid, Text, Title } from '@mantine/core';
import { linkPath } from '../api/client.ts';
import type { components } from '../api/openapi.d.ts';
import { Fact } from '../parts/Fact.tsx';
import { durationText, secondsText } from '../parts/figures.tsx';
import { Money } from '../parts/Money.tsx';
import { Readable, ReadableData } from '../parts/Readable.tsx';
import { countOf } from '../parts/totals.tsx';
import { RunStatus } from '../runs/RunStatus.tsx';
import { StepIcon } from '../runs/StepIcon.tsx';
import { textOf } from './reviewParts.tsx';

export type Trial = components['schemas']['ReviewTrialList']['data'][number];
type TrialRun = NonNullable<Trial['submitted']>;
type Output = TrialRun['output'][number];

/** The prompts run by a review, each with the answers of the submitted and of the public version side by side. */
export function Trials({ trials, path }: { trials: Trial[]; path: string }) {
  if (trials.length === 0)
    return (
      <Text size="sm" c="dimmed">
        No prompt was tried yet.
      </Text>
    );
  return (
    <div className="trial-list">
      {trials.map((trial) => (
        <section key={`${trial.kind} ${trial.index}`} className="trial" aria-label={nameOf(trial)}>
          <div>
            <Title order={3}>{nameOf(trial)}</Title>
            <pre className="written">{textOf(trial.prompt)}</pre>
          </div>
          <SimpleGrid cols={{ base: 1, md: trial.live ? 2 : 1 }} spacing="sm">
            <Side title="This version" run={trial.submitted} path={path} />
            {trial.live && <Side title="The public version then" run={trial.live} path={path} />}
          </SimpleGrid>
        </section>
      ))}
    </div>
  );
}

const nameOf = ({ kind, index }: Trial) => `${kind === 'example' ? 'Example' : 'Probe'} ${index + 1}`;

function Side({ title, run, path }: { title: string; run: TrialRun | null; path: string }) {
  if (!run)
    return (
      <Text size="sm" c="dimmed">
        Not tried: earlier trials used up what they may cost.
      </Text>
    );
  return (
    <div className="inset trial-side">
      <dl className="step-facts">
        <Fact name={title}>{run.version}</Fact>
        <Fact name="Status">
          <RunStatus status={run.status} />
        </Fact>
        <Fact name="Cost">
          <Money usd={run.cost_usd} />
        </Fact>
        <Fact name="Duration">{secondsText(run.duration_seconds)}</Fact>
      </dl>
      {run.error && (
        <Text size="sm" className="text-bad">
          {run.error.message}
        </Text>
      )}
      {run.output.map((item, at) => (
        <Answer key={at} item={item} path={path} />
      ))}
      {run.steps.length > 0 && <Steps steps={run.steps} />}
    </div>
  );
}

function Answer({ item, path }: { item: Output; path: string }) {
  if (item.type === 'output_text') return <Readable title="Text" text={item.text} isMarkdown />;
  if (item.type === 'output_data') return <ReadableData title="Data" value={item.data} />;
  return (
    <Anchor size="sm" href={linkPath(`${path}/files/${item.file_id}/content`)} download>
      {item.filename}
    </Anchor>
  );
}

function Steps({ steps }: { steps: TrialRun['steps'] }) {
  return (
    <details>
      <summary>{countOf(steps.length, 'step')}</summary>
      <ol className="trial-steps">
        {steps.map((step) => (
          <li key={step.id}>
            <StepIcon step={step} /> {step.name}: {step.status.replaceAll('_', ' ')}, {durationText(step.duration_ms)},{' '}
            <Money usd={step.cost_usd} />
            {step.arguments && <Readable title="Input" text={step.arguments} />}
            {step.result_preview && <Readable title="Output" text={step.result_preview} />}
          </li>
        ))}
      </ol>
    </details>
  );
}
