import { structuredPatch } from 'diff';
import type { Run } from '../../src/index.ts';
import { usd } from '../format.ts';
import { err } from '../terminal/colors.ts';

const CONTEXT_LINES = 2;

/** What is other than in an earlier run with the same input: the output line by line, and the cost. */
export function textOfComparison(run: Run, before: Run | undefined): string {
  if (!before) return err.dim('The first run of this example.');
  const cost = costChange(run.usage.total_usd, before.usage.total_usd);
  const lines = changedLines(outputOf(before), outputOf(run));
  const since = `${err.dim('Compared with')} ${before.version}`;
  if (lines.length === 0) return `${since}: the same output, ${cost}`;
  return [`${since}: ${cost}`, ...lines].join('\n');
}

function changedLines(before: string, after: string): string[] {
  const { hunks } = structuredPatch('', '', `${before}\n`, `${after}\n`, '', '', { context: CONTEXT_LINES });
  return hunks.flatMap(({ lines }, at) => [...(at > 0 ? [err.dim('  ⋮')] : []), ...lines.map(colored)]);
}

const colored = (line: string): string =>
  line.startsWith('+') ? err.green(line) : line.startsWith('-') ? err.red(line) : err.dim(line);

function costChange(now: number, before: number): string {
  if (now === before) return `cost ${usd(now)} as before`;
  const percent = before === 0 ? '' : `, ${now > before ? '+' : ''}${Math.round(((now - before) / before) * 100)} %`;
  const text = `cost ${usd(now)}, was ${usd(before)}${percent}`;
  return now > before ? err.yellow(text) : err.green(text);
}

/** The output of a run as lines: its texts, its data, and the names of its files. */
function outputOf({ output }: Run): string {
  return output
    .map((item) => {
      if (item.type === 'output_text') return item.text;
      return item.type === 'output_data'
        ? JSON.stringify(item.data, null, 2)
        : `[${item.filename}, ${item.media_type}]`;
    })
    .join('\n\n');
}
