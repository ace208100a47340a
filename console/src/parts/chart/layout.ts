import { bandsOf, niceTicks } from './scale.ts';
import { stacked, type Series } from './series.ts';

/** One step of time: an hour, a day. */
export interface Step {
  /** For the axis. */
  text: string;
  /** For the hover card. */
  title: string;
  /** A second line there. */
  note?: string;
  /** Its number in its day, for labels at full hours: the hour, or the minute. */
  place?: number;
}

/** What a chart draws. */
export interface Picture {
  steps: Step[];
  series: Series[];
  /** The period before, summed, step by step. */
  ghost?: (number | undefined)[];
  /** The step that is not over: what follows is still to come. */
  openAt?: number;
}

/** Makes the writer of values that stand together, so that they have one precision. */
export type TextOf = (values: (number | undefined)[]) => (value: number) => string;

/** `bars` and `area` are stacked, `lines` are not. */
export type Shape = 'bars' | 'area' | 'lines';

const TOP = 10;
const BOTTOM = 24;
const RIGHT = 4;
const CHARACTER = 6.6;
const GUTTER_SPACE = 12;

export type Layout = ReturnType<typeof layoutOf>;

/** All places of a picture in pixels. */
export function layoutOf({
  picture: { steps, series, ghost },
  shape,
  tickText,
  isWhole,
  width,
  height,
}: {
  picture: Picture;
  shape: Shape;
  tickText: (value: number, step: number) => string;
  isWhole: boolean;
  width: number;
  height: number;
}) {
  const parts = shape === 'lines' ? undefined : stacked(series);
  const highest = Math.max(
    0,
    ...(parts
      ? parts.flatMap((part) => part.map(([, to]) => to))
      : series.flatMap(({ values }) => values.filter(isKnown))),
    ...(ghost ?? []).filter(isKnown),
  );
  const ticks = niceTicks(highest, Math.max(2, Math.round(height / 64)), isWhole);
  const labels = ticks.map((tick) => tickText(tick, ticks[1]! - ticks[0]!));
  const left = Math.max(...labels.map((text) => text.length)) * CHARACTER + GUTTER_SPACE;
  const [top, bottom] = [TOP, height - BOTTOM];
  const bands = bandsOf(steps.length, left, width - RIGHT);
  return {
    width,
    height,
    left,
    right: width - RIGHT,
    top,
    bottom,
    parts,
    isEmpty: highest === 0,
    ticks: ticks.map((tick, at) => ({ value: tick, text: labels[at]! })),
    bands,
    y: (value: number): number => bottom - (value / ticks.at(-1)!) * (bottom - top),
  };
}

const isKnown = (value: number | undefined): value is number => value !== undefined;
