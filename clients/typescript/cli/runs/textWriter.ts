import type { Run, RunEvent } from '../../src/index.ts';
import { print } from '../output.ts';
import { out } from '../terminal/colors.ts';
import { safeText } from '../safeText.ts';

/** Writes what a run says to stdout. */
export interface TextWriter {
  /** Whether `write` would print something of it. */
  takes(event: RunEvent): boolean;
  write(event: RunEvent): void;
  /** Whether a line is begun. */
  isInLine(): boolean;
  endLine(): void;
  /** Prints what was not written: everything, where stdout is a file or a pipe. */
  end(run: Run): void;
}

/** On a terminal a text appears as it is written. Elsewhere it is printed once, at the end: a retried step could still replace it. */
export function createTextWriter(): TextWriter {
  const { stdout } = process;
  let [item, written, lineIsOpen] = ['', '', false];
  const endLine = () => {
    if (lineIsOpen) stdout.write('\n');
    lineIsOpen = false;
  };
  const put = (text: string) => {
    if (text === '') return;
    stdout.write(safeText(text));
    lineIsOpen = !text.endsWith('\n');
  };
  const become = (of: string, text: string) => {
    if (of !== item) {
      endLine();
      if (item && written) stdout.write('\n');
      [item, written] = [of, ''];
    }
    if (!text.startsWith(written)) {
      endLine();
      stdout.write(`${out.dim('(written anew)')}\n`);
      written = '';
    }
    put(text.slice(written.length));
    written = text;
  };
  return {
    takes: ({ type }) => stdout.isTTY && isOutput(type),
    write({ type, data }) {
      if (type === 'run.output_text.delta')
        become(data.item_id, (data.item_id === item ? written : '').slice(0, data.offset) + data.delta);
      if (type === 'run.output_text.done') {
        become(data.item_id, data.text);
        endLine();
      }
      if (type === 'run.output_data.done') print(JSON.stringify(data.data, null, 2));
    },
    isInLine: () => lineIsOpen,
    endLine,
    end(run) {
      endLine();
      if (!stdout.isTTY) for (const text of outputsOf(run)) print(text);
    },
  };
}

const OUTPUTS = ['run.output_text.delta', 'run.output_text.done', 'run.output_data.done'];
const isOutput = (type: string): boolean => OUTPUTS.includes(type);

/** The texts and the data of a run, with an empty line between texts. */
function outputsOf({ output }: Run): string[] {
  const texts = output.flatMap((item) => (item.type === 'output_text' ? [item.text] : []));
  const data = output.flatMap((item) => (item.type === 'output_data' ? [JSON.stringify(item.data, null, 2)] : []));
  return [...(texts.length > 0 ? [texts.join('\n\n')] : []), ...data];
}
