import type { Box } from './axes.ts';
import type { Chart } from './chartForm.ts';
import { colourOf, element, textAt } from './svg.ts';

const FULL = 2 * Math.PI;
/** Smaller slices show no share. */
const SHARE_SHOWN_MIN = 0.04;

/** A pie of the first series' values; the legend has the labels. Negative values have no slice. */
export function pieOf({ series, labels }: Chart, { left, right, top, bottom }: Box): string {
  const values = labels.map((_, at) => Math.max(0, series[0]?.values[at] ?? 0));
  const sum = values.reduce((total, value) => total + value, 0);
  const centre = { x: (left + right) / 2, y: (top + bottom) / 2 };
  const radius = Math.max(10, Math.min(right - left, bottom - top) / 2 - 6);
  let start = 0;
  return values
    .map((value, at) => {
      const share = sum === 0 ? 0 : value / sum;
      const from = start;
      start += share;
      if (share === 0) return '';
      return sliceOf({ centre, radius, from, share, fill: colourOf(at) }) + shareText({ centre, radius, from, share });
    })
    .join('');
}

interface Slice {
  centre: { x: number; y: number };
  radius: number;
  from: number;
  share: number;
}

function sliceOf({ centre, radius, from, share, fill }: Slice & { fill: string }): string {
  const line = { fill, stroke: '#ffffff', 'stroke-width': 1.5 };
  if (share > 0.9999) return element('circle', { cx: centre.x, cy: centre.y, r: radius, ...line });
  const [start, end] = [pointOn({ centre, radius, at: from }), pointOn({ centre, radius, at: from + share })];
  const arc = `A${radius} ${radius} 0 ${share > 0.5 ? 1 : 0} 1 ${end.x} ${end.y}`;
  return element('path', { d: `M${centre.x} ${centre.y} L${start.x} ${start.y} ${arc} Z`, ...line });
}

function shareText({ centre, radius, from, share }: Slice): string {
  if (share < SHARE_SHOWN_MIN) return '';
  const { x, y } = pointOn({ centre, radius: radius * 0.7, at: from + share / 2 });
  const text = `${Math.round(share * 1000) / 10} %`;
  return textAt(text, { x, y: y + 4, size: 13, anchor: 'middle', fill: '#ffffff' });
}

// Clockwise from the top.
function pointOn({ centre, radius, at }: { centre: { x: number; y: number }; radius: number; at: number }) {
  const angle = at * FULL - FULL / 4;
  const round = (value: number) => Math.round(value * 100) / 100;
  return { x: round(centre.x + radius * Math.cos(angle)), y: round(centre.y + radius * Math.sin(angle)) };
}
