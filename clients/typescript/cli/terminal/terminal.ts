import { config } from '../config.ts';

/** Whether lines that change may be drawn: on a terminal in front of a person. */
export const isLive = (): boolean => process.stderr.isTTY && config.mayDraw;

/** Whether somebody can be asked. */
export const canAsk = (): boolean => isLive() && process.stdin.isTTY;

/** Columns of the terminal; a fixed width elsewhere, so that output to a file does not change. */
export const widthOf = (stream: NodeJS.WriteStream): number => stream.columns || 120;
