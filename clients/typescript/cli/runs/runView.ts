import type { Run, RunEvent } from '../../src/index.ts';
import { bytes, span, time, usd } from '../format.ts';
import { print, say } from '../output.ts';
import { err } from '../terminal/colors.ts';
import { statusLine } from '../terminal/statusLine.ts';
import { createTextWriter } from './textWriter.ts';

/** How a run is shown while it goes on. */
export interface RunView {
  show(event: RunEvent): void;
  /** A line beside the result. */
  note(line: string): void;
  /** Nothing is drawn until the next event: a prompt has the terminal. */
  pause(): void;
  /** What the run gave, as far as it was not shown already, and its bill. */
  end(run: Run): void;
}

/** Each event as a line of JSON. */
export const jsonView = (): RunView => ({
  show: (event) => print(JSON.stringify(event)),
  note() {},
  pause() {},
  end() {},
});

/** The answer on stdout; steps, the cost so far and the bill beside it. */
export function liveView(): RunView {
  const startedMs = Date.now();
  const status = statusLine();
  const writer = createTextWriter();
  let [doing, costUsd] = ['starting', 0];

  const note = (line: string) => {
    status.clear();
    writer.endLine();
    say(line);
  };
  const draw = () => {
    if (writer.isInLine()) return;
    status.set(() => `${doing} ${err.dim(`${span(Date.now() - startedMs)}, ${usd(costUsd)}`)}`);
  };

  return {
    note,
    pause: () => status.clear(),
    show(event) {
      doing = textOf(DOING, event) ?? doing;
      if (event.type === 'run.usage.updated') {
        const { total_usd: own, children_usd: children = 0 } = event.data;
        costUsd = own + children;
      }
      const line = textOf(LINES, event);
      if (line) note(line);
      if (writer.takes(event)) {
        status.clear();
        writer.write(event);
      }
      draw();
    },
    end(run) {
      status.clear();
      writer.end(run);
      say(billLine(run));
    },
  };
}

type Type = RunEvent['type'];
type DataOf<T extends Type> = Extract<RunEvent, { type: T }>['data'];
type Texts = { [T in Type]?: (data: DataOf<T>) => string | undefined };

/** What the run does from an event on. */
const DOING: Texts = {
  'run.queued': ({ waiting }) => (waiting ? 'waiting for its turn' : 'waiting for a worker'),
  'run.in_progress': () => 'working',
  'run.step.started': ({ kind, name, model }) => (kind === 'model' ? `${model ?? name} thinks` : name),
  'run.progress': ({ output_tokens }) => `writing, ${output_tokens} tokens`,
  'run.tool.progress': ({ tool, message, percentage }) =>
    `${tool}: ${message}${percentage === null ? '' : ` ${percentage} %`}`,
  'run.step.completed': () => 'working',
  'run.step.failed': () => 'working',
  'run.cancelling': () => 'cancelling',
};

/** The line that stays of an event. */
const LINES: Texts = {
  'run.step.completed': ({ kind, name, duration_ms, cost_usd }) =>
    kind === 'model' ? undefined : `${err.green('✓')} ${name} ${err.dim(`${span(duration_ms)}, ${usd(cost_usd)}`)}`,
  'run.step.reused': ({ name }) => `${err.green('✓')} ${name} ${err.dim('reused')}`,
  'run.step.failed': ({ name, message, reason }) => `${err.red('✗')} ${name} ${err.dim(message ?? reason)}`,
  'run.step.retrying': ({ name, code, retry_at }) => `${err.yellow('↻')} ${name}: ${code}, again at ${time(retry_at)}`,
  'run.output_file.created': ({ filename, size_bytes, file_id }) =>
    `${err.green('+')} ${filename} ${err.dim(`${bytes(size_bytes)}, ${file_id}`)}`,
  'run.budget.warning': ({ total_usd, max_cost_usd }) =>
    err.yellow(`${usd(total_usd)} of at most ${usd(max_cost_usd)} are used`),
};

const textOf = (texts: Texts, { type, data }: RunEvent): string | undefined =>
  (texts[type] as ((data: unknown) => string | undefined) | undefined)?.(data);

/** How a run ended, and what it cost. */
export function billLine({ id, status, duration_seconds, usage }: Run): string {
  const signs: Record<string, string> = { completed: err.green('✓'), cancelled: err.yellow('■') };
  const lasted = duration_seconds === null ? '' : ` after ${span(duration_seconds * 1000)}`;
  const children = usage.children_usd > 0 ? `, and its own runs ${usd(usage.children_usd)}` : '';
  const sign = signs[status] ?? err.red('✗');
  return `${sign} ${status.replace('_', ' ')}${lasted}, billed ${err.bold(usd(usage.total_usd))}${children}  ${err.dim(id)}`;
}
