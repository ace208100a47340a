import { styleText } from 'node:util';
import { config } from '../config.ts';

type Stream = NodeJS.WriteStream;
type Format = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan';

/** Whether colours may be written to a stream: to a terminal that has them, unless NO_COLOR or `--no-color` says otherwise. */
export const hasColors = (stream: Stream): boolean => config.colors ?? (stream.isTTY && stream.hasColors());

export function turnColorsOff(): void {
  config.colors = false;
}

const stylesOf = (stream: Stream) => {
  const style = (format: Format) => (text: string | number) =>
    hasColors(stream) ? styleText(format, String(text), { validateStream: false }) : String(text);
  return {
    bold: style('bold'),
    dim: style('dim'),
    red: style('red'),
    green: style('green'),
    yellow: style('yellow'),
    cyan: style('cyan'),
  };
};

/** Styles of what is printed as the result, and of what is said beside it. */
export const out = stylesOf(process.stdout);
export const err = stylesOf(process.stderr);
