import { Button } from '@mantine/core';
import { useState, type KeyboardEvent } from 'react';
import { countText, durationText } from '../parts/figures.tsx';
import { countOf } from '../parts/totals.tsx';
import { digitsOf, Money } from '../parts/Money.tsx';
import type { Run, Step } from './runEvents.ts';
import { isOver } from './RunStatus.tsx';
import { StepIcon } from './StepIcon.tsx';
import { useClock } from './useClock.ts';
import { tickText, waterfallOf, type Fall, type Waterfall as Lines } from './waterfall.ts';

const ROWS_MAX = 200;

/** The steps of a run as bars on an axis of time; one of them is chosen. Of a long run the last ones, until more are asked for. */
export function Waterfall({
  run,
  steps,
  isLive,
  chosenId,
  onChoose,
}: {
  run: Run;
  steps: Step[];
  isLive: boolean;
  chosenId: string | undefined;
  onChoose: (stepId: string) => void;
}) {
  const nowMs = useClock(!isOver(run.status) && isLive);
  const lines = waterfallOf(run, steps, nowMs);
  const [isAll, setAll] = useState(false);
  const hidden = isAll ? 0 : Math.max(0, lines.rows.length - ROWS_MAX);
  const digits = digitsOf(steps.map(({ costUsd }) => costUsd));
  return (
    <div className="falls">
      {hidden > 0 && (
        <Button variant="default" size="xs" onClick={() => setAll(true)}>
          Show {countOf(hidden, 'earlier step')}
        </Button>
      )}
      <Axis lines={lines} />
      <ol className="falls-list" onKeyDown={moveFocus}>
        {lines.rows.slice(hidden).map((fall) => (
          <li key={fall.step.id}>
            <button
              type="button"
              className="fall"
              data-depth={fall.depth}
              aria-current={fall.step.id === chosenId ? 'step' : undefined}
              onClick={() => onChoose(fall.step.id)}
            >
              <StepName step={fall.step} />
              <Bar fall={fall} />
              <span className="fall-tokens number">{tokensText(fall.step)}</span>
              <span className="fall-cost">
                {fall.step.costUsd !== null && <Money usd={fall.step.costUsd} digits={digits} />}
              </span>
              <span className="fall-time number">
                {fall.step.state === 'reused'
                  ? 'reused'
                  : fall.durationMs === null
                    ? '…'
                    : durationText(fall.durationMs)}
              </span>
            </button>
          </li>
        ))}
      </ol>
    </div>
  );
}

const STATES: Record<Step['state'], string> = {
  running: ', running',
  done: '',
  failed: ', failed',
  retrying: ', retrying',
  reused: '',
};

function StepName({ step }: { step: Step }) {
  return (
    <span className="fall-name">
      <StepIcon step={step} />
      <span className="fall-words" data-state={step.state}>
        {step.name}
        <span className="for-readers">{STATES[step.state]}</span>
      </span>
      {step.attempt > 1 && <span className="fall-mark">{step.attempt} attempts</span>}
    </span>
  );
}

function Bar({ fall: { pieces } }: { fall: Fall }) {
  return (
    <span className="fall-track" aria-hidden>
      {pieces.map(({ kind, from, to }, at) => (
        <span
          key={at}
          className="fall-bar"
          data-kind={kind}
          style={{ left: `${from * 100}%`, width: `${(to - from) * 100}%` }}
        />
      ))}
    </span>
  );
}

function Axis({ lines: { ticks } }: { lines: Lines }) {
  return (
    <div className="falls-axis" aria-hidden>
      <span />
      <span className="fall-track">
        {ticks.map(({ at, ms }) => (
          <span key={ms} className="falls-tick" style={{ left: `${at * 100}%` }}>
            {at < 0.94 && tickText(ms)}
          </span>
        ))}
      </span>
      <span className="fall-tokens">In / out</span>
      <span className="fall-cost">Cost</span>
      <span className="fall-time">Duration</span>
    </div>
  );
}

const tokensText = ({ inputTokens, outputTokens }: Step): string =>
  inputTokens === null ? '' : `${countText(inputTokens)} / ${countText(outputTokens ?? 0)}`;

/** The arrow keys go from step to step. */
function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step === undefined) return;
  const buttons = [...event.currentTarget.querySelectorAll<HTMLButtonElement>('button.fall')];
  const next = buttons[buttons.indexOf(event.target as HTMLButtonElement) + step];
  if (!next) return;
  event.preventDefault();
  next.focus();
}
