import { Anchor, Stack, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Fact } from '../parts/Fact.tsx';
import { secondsText } from '../parts/figures.tsx';
import { Money } from '../parts/Money.tsx';
import { Readable } from '../parts/Readable.tsx';
import { Status } from '../parts/Status.tsx';
import { CASE_STATES, CHECK_NAMES, inputText, type CaseResult, type Check } from './evaluations.ts';
import { Sheet } from '../parts/Sheet.tsx';

/** One case at the side: its checks, its input and output, and its run. */
export function CaseDrawer({
  of,
  hasRuns,
  onClose,
}: {
  of: CaseResult | undefined;
  hasRuns: boolean;
  onClose: () => void;
}) {
  return (
    <Sheet isOpen={of !== undefined} onClose={onClose} size="lg" title={of?.name ?? 'Case'}>
      {of && <Content of={of} hasRuns={hasRuns} />}
    </Sheet>
  );
}

function Content({ of, hasRuns }: { of: CaseResult; hasRuns: boolean }) {
  const { status, against, run_id: runId, output_text: output } = of;
  return (
    <Stack>
      <dl className="step-facts">
        <Fact name="This version">
          <Status {...CASE_STATES[status]} />
        </Fact>
        {against && (
          <Fact name="Public version">
            <Status {...CASE_STATES[against.status]} />
          </Fact>
        )}
        <Fact name="Cost">
          <Money usd={of.cost_usd} />
        </Fact>
        {of.judge_cost_usd > 0 && (
          <Fact name="Judges">
            <Money usd={of.judge_cost_usd} />
          </Fact>
        )}
        <Fact name="Time">{secondsText(of.duration_seconds)}</Fact>
      </dl>
      {of.error && (
        <Text size="sm" className="text-bad">
          {of.error.message}
        </Text>
      )}
      {of.checks.length > 0 && (
        <section aria-label="Checks">
          <Title order={3} size="0.875rem" mb="xs">
            Checks
          </Title>
          <ul className="check-results">
            {of.checks.map((check, at) => (
              <CheckResult key={at} of={check} />
            ))}
          </ul>
        </section>
      )}
      <Readable title="Input" text={inputText(of.input)} isShort />
      {output !== null && <Readable title="Output" text={output} isMarkdown isShort />}
      {hasRuns && runId && (
        <Anchor component={Link} size="sm" {...{ to: `/runs/${runId}` }}>
          Open the run
        </Anchor>
      )}
    </Stack>
  );
}

function CheckResult({ of: { type, status, message, reason } }: { of: CaseResult['checks'][number] }) {
  return (
    <li className="check-result" data-status={status}>
      <span className="finding-head">
        <Status {...CASE_STATES[status]} />
        <span>{CHECK_NAMES[type as Check['type']]}</span>
      </span>
      <span>{message}</span>
      {reason && <span className="written">{reason}</span>}
    </li>
  );
}
