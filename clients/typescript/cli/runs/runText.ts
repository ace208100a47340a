import type { Run, Schemas } from '../../src/index.ts';
import { bytes, exactUsd, number, span, time, usd } from '../format.ts';
import { out } from '../terminal/colors.ts';
import { listOf, tableOf } from '../terminal/table.ts';
import { statusText } from './statusText.ts';

type Step = Schemas['RunStepPage']['data'][number];

/** A run with its steps, its bill and its output. */
export function runText(run: Run, steps: Step[]): string {
  const { usage } = run;
  const sections = [headText(run)];
  if (steps.length > 0) sections.push(stepsText(steps));
  if (usage.meters.length > 0) sections.push(`${metersText(usage.meters)}\n${totalText(run)}`);
  return [...sections, ...outputTexts(run)].join('\n\n');
}

function headText(run: Run): string {
  const { required_action: action, error, limit, rerun_of: source } = run;
  return listOf([
    ['Run', `${run.id}  ${statusText(run)}${run.status_reason ? ` ${run.status_reason}` : ''}`],
    ['Agent', `${run.agent} (${run.version})`],
    ['Session', run.session_id],
    ['Ordered', `${time(run.created_at)}, by ${run.source}`],
    ['Took', run.duration_seconds === null ? null : span(run.duration_seconds * 1000)],
    ['At most', usd(run.max_cost_usd)],
    ['Error', error && out.red(`${error.message} (${error.code})`)],
    ['Limit', limit && `${limit.kind.replaceAll('_', ' ')} of ${limit.value}`],
    ['Waits for', action && (action.question ?? action.name ?? action.type)],
    ['Repeats', source && `${source.run_id} from step ${source.from_step}`],
    ['Parent', run.parent_run_id],
    ['User', run.user],
    [
      'Metadata',
      Object.entries(run.metadata)
        .map(([name, value]) => `${name}=${value}`)
        .join(' '),
    ],
  ]);
}

function stepsText(steps: Step[]): string {
  return tableOf(
    [
      { title: 'step', align: 'right', text: ({ number: at }) => at },
      { title: 'kind', text: ({ kind }) => kind },
      { title: 'name', shrinks: true, text: ({ name, model }) => model ?? name },
      { title: 'status', text: stepStatus },
      { title: 'tries', align: 'right', text: ({ attempt }) => attempt },
      { title: 'took', align: 'right', text: ({ duration_ms }) => (duration_ms === null ? '-' : span(duration_ms)) },
      { title: 'tokens', align: 'right', text: tokensText },
      { title: 'cost', align: 'right', text: ({ cost_usd }) => usd(cost_usd) },
    ],
    steps,
  );
}

function stepStatus({ status, error_code: code, reused_from: reused }: Step): string {
  if (reused !== null) return out.dim('reused');
  if (code !== null) return out.red(code);
  return status === 'completed' ? out.green(status) : out.yellow(status.replace('_', ' '));
}

const tokensText = ({ input_tokens: read, output_tokens: written }: Step): string =>
  read === null && written === null ? '' : `${number(read ?? 0)} + ${number(written ?? 0)}`;

function metersText(meters: Run['usage']['meters']): string {
  return tableOf(
    [
      { title: 'meter', text: ({ id }) => id.replaceAll('_', ' ') },
      { title: 'quantity', align: 'right', text: ({ quantity }) => number(quantity) },
      { title: 'price', align: 'right', text: ({ price_usd }) => exactUsd(price_usd) },
      { title: 'cost', align: 'right', text: ({ cost_usd }) => exactUsd(cost_usd) },
    ],
    meters,
  );
}

function totalText({ usage }: Run): string {
  const fee = usage.network_fee_usd > 0 ? `, with a network fee of ${usd(usage.network_fee_usd)}` : '';
  const children = usage.children_usd > 0 ? `; its own runs cost ${usd(usage.children_usd)} beside` : '';
  return `${out.bold(usd(usage.total_usd))}${usage.settled ? ' billed' : ' so far'}${fee}${children}`;
}

const outputTexts = ({ output }: Run): string[] =>
  output.map((item) => {
    if (item.type === 'output_text') return item.text;
    if (item.type === 'output_data') return JSON.stringify(item.data, null, 2);
    return `${out.green('+')} ${item.filename} ${out.dim(`${bytes(item.size_bytes)}, ${item.file_id}`)}`;
  });
