import '../parts/work.css';
import { Anchor, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { consolePath } from '../api/client.ts';
import type { components } from '../api/openapi.d.ts';
import { durationText } from '../parts/figures.tsx';
import { Money } from '../parts/Money.tsx';
import { RunStatus } from '../runs/RunStatus.tsx';

export type Trial = components['schemas']['ReviewTrialList']['data'][number];
type TrialRun = NonNullable<Trial['submitted']>;
type Output = TrialRun['output'][number];

/** The prompts run by a review, each with the answers of the submitted and of the public version side by side. */
export function Trials({ trials, path }: { trials: Trial[]; path: string }) {
  if (trials.length === 0) return <Text c="dimmed">No prompt was tried yet.</Text>;
  return (
    <Stack gap="xl">
      {trials.map((trial) => (
        <section key={`${trial.kind} ${trial.index}`} aria-label={nameOf(trial)}>
          <Title order={3}>{nameOf(trial)}</Title>
          <pre className="written">{textOf(trial.prompt)}</pre>
          <SimpleGrid cols={{ base: 1, md: trial.live ? 2 : 1 }} mt="sm" spacing="lg">
            <Side title="This version" run={trial.submitted} path={path} />
            {trial.live && <Side title="The public version then" run={trial.live} path={path} />}
          </SimpleGrid>
        </section>
      ))}
    </Stack>
  );
}

const nameOf = ({ kind, index }: Trial) => `${kind === 'example' ? 'Example' : 'Probe'} ${index + 1}`;
const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value, null, 2));

function Side({ title, run, path }: { title: string; run: TrialRun | null; path: string }) {
  if (!run) return <Text c="dimmed">It was not tried: earlier trials used up what they may cost.</Text>;
  return (
    <Stack gap="xs" className="trial-side">
      <dl className="facts">
        <div>
          <dt>{title}</dt>
          <dd>
            {run.version} <RunStatus status={run.status} />
          </dd>
        </div>
        <div>
          <dt>Cost</dt>
          <dd>
            <Money usd={run.cost_usd} />
          </dd>
        </div>
        <div>
          <dt>Took</dt>
          <dd>{run.duration_seconds === null ? '—' : durationText(run.duration_seconds * 1000)}</dd>
        </div>
      </dl>
      {run.error && <Text size="sm">{run.error.message}</Text>}
      {run.output.map((item, at) => (
        <Answer key={at} item={item} path={path} />
      ))}
      {run.steps.length > 0 && <Steps steps={run.steps} />}
    </Stack>
  );
}

function Answer({ item, path }: { item: Output; path: string }) {
  if (item.type !== 'output_file')
    return <pre className="written">{item.type === 'output_text' ? item.text : textOf(item.data)}</pre>;
  return (
    <Anchor href={`${consolePath(path)}/files/${item.file_id}/content`} download>
      {item.filename}
    </Anchor>
  );
}

function Steps({ steps }: { steps: TrialRun['steps'] }) {
  return (
    <details>
      <summary>
        {steps.length} {steps.length === 1 ? 'step' : 'steps'}
      </summary>
      <ol className="run-steps">
        {steps.map((step) => (
          <li key={step.id} className="run-step" data-state={step.status}>
            <Text size="sm">
              <span className="step-kind">{step.kind}</span> {step.name}: {step.status},{' '}
              {step.duration_ms === null ? '—' : durationText(step.duration_ms)}, <Money usd={step.cost_usd} />
            </Text>
            {step.arguments && <pre className="code">{step.arguments}</pre>}
            {step.result_preview && <pre className="written">{step.result_preview}</pre>}
          </li>
        ))}
      </ol>
    </details>
  );
}
