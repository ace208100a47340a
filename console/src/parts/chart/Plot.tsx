import { area, curveMonotoneX, curveStep, line } from 'd3-shape';
import { memo } from 'react';
import type { Layout, Picture, Shape } from './layout.ts';
import { labelledBands } from './scale.ts';

const LABEL_GAP = 64;
const BAR_SHARE = 0.7;
const BAR_WIDTH_MAX = 36;
const RADIUS_MAX = 3;

interface Props {
  picture: Picture;
  layout: Layout;
  shape: Shape;
}

/** What does not change while the pointer moves: grid, axis, the period before, and the series. */
export const Plot = memo(function Plot({ picture, layout, shape }: Props) {
  return (
    <>
      <Grid picture={picture} layout={layout} />
      {picture.ghost && !layout.isEmpty && <Ghost ghost={picture.ghost} layout={layout} shape={shape} />}
      {shape === 'bars' && <Bars picture={picture} layout={layout} />}
      {shape === 'area' && !layout.isEmpty && <Area picture={picture} layout={layout} />}
      {shape === 'lines' && <Lines picture={picture} layout={layout} />}
    </>
  );
});

function Grid({ picture: { steps }, layout }: Pick<Props, 'picture' | 'layout'>) {
  const { left, right, bottom, ticks, bands, y, isEmpty } = layout;
  return (
    <>
      {ticks.map(({ value, text }) => (
        <g key={value}>
          <line className="chart-hairline" x1={left} x2={right} y1={snap(y(value))} y2={snap(y(value))} />
          {!isEmpty && (
            <text className="chart-text" x={left - 8} y={y(value)} dy="0.32em" textAnchor="end">
              {text}
            </text>
          )}
        </g>
      ))}
      {labelledBands(steps, bands.width, LABEL_GAP).map((at) => (
        <text key={at} className="chart-text" x={labelPlace(at, layout)} y={bottom + 17} textAnchor="middle">
          {steps[at]!.text}
        </text>
      ))}
    </>
  );
}

// A hairline is sharp on whole pixels and a half.
const snap = (place: number): number => Math.round(place) + 0.5;

const LABEL_HALF = 24;
const labelPlace = (at: number, { bands, left, right }: Layout): number =>
  Math.min(right - LABEL_HALF, Math.max(left + LABEL_HALF - 8, bands.centerOf(at)));

/** The period before: a grey line over a pale ground. */
function Ghost({
  ghost,
  layout: { bands, y, bottom },
  shape,
}: {
  ghost: (number | undefined)[];
  layout: Layout;
  shape: Shape;
}) {
  const curve = shape === 'bars' ? curveStep : curveMonotoneX;
  const points = ghost.map((value, at) => ({ value, x: bands.centerOf(at) }));
  const isKnown = ({ value }: { value: number | undefined }) => value !== undefined;
  type Point = (typeof points)[number];
  const ground = area<Point>()
    .defined(isKnown)
    .x(({ x }) => x)
    .y0(bottom)
    .y1(({ value }) => y(value!))
    .curve(curve);
  const edge = line<Point>()
    .defined(isKnown)
    .x(({ x }) => x)
    .y(({ value }) => y(value!))
    .curve(curve);
  return (
    <>
      {shape !== 'lines' && <path className="chart-ghost-ground" d={ground(points) ?? ''} />}
      <path className="chart-ghost" d={edge(points) ?? ''} />
    </>
  );
}

/** All bars of a series are one path: the number of elements does not grow with the days. */
function Bars({
  picture: { series, steps, openAt = steps.length },
  layout: { bands, y, parts },
}: Pick<Props, 'picture' | 'layout'>) {
  const width = barWidthOf(bands.width);
  const radius = radiusOf(width);
  const isTop = (of: number, at: number) => parts!.slice(of + 1).every((part) => part[at]![0] === part[at]![1]);
  const pathOf = (part: [number, number][], of: number, isShown: (at: number) => boolean) =>
    part
      .map(([from, to], at) => {
        if (to <= from || !isShown(at)) return '';
        const x = bands.centerOf(at) - width / 2;
        return barPath({ x, width, from: y(from), to: y(to), radius: isTop(of, at) ? radius : 0 });
      })
      .join('');
  return series.map(({ id, color }, of) => (
    <g key={id} style={{ color }}>
      <path className="chart-bar" d={pathOf(parts![of]!, of, (at) => at < openAt)} />
      <path className="chart-bar is-open" d={pathOf(parts![of]!, of, (at) => at >= openAt)} />
    </g>
  ));
}

const barWidthOf = (bandWidth: number): number => Math.max(1, Math.min(BAR_WIDTH_MAX, bandWidth * BAR_SHARE));
const radiusOf = (width: number): number => Math.min(RADIUS_MAX, width / 3);

function barPath(bar: { x: number; width: number; from: number; to: number; radius: number }): string {
  const { x, width, from, to } = bar;
  // Even the smallest amount is seen.
  const top = Math.min(to, from - 1);
  const radius = Math.min(bar.radius, from - top);
  return radius === 0
    ? `M${x},${from}V${top}h${width}V${from}z`
    : `M${x},${from}V${top + radius}q0,${-radius} ${radius},${-radius}h${width - 2 * radius}q${radius},0 ${radius},${radius}V${from}z`;
}

/** Stacked areas. What is over is quieter; the step that is not over is a bar in full colour, because an area would seem to fall there. */
function Area({
  picture: { series, steps, openAt = steps.length },
  layout: { bands, y, parts },
}: Pick<Props, 'picture' | 'layout'>) {
  type Point = { x: number; from: number; to: number };
  const ground = area<Point>()
    .x(({ x }) => x)
    .y0(({ from }) => from)
    .y1(({ to }) => to)
    .curve(curveMonotoneX);
  const edge = line<Point>()
    .x(({ x }) => x)
    .y(({ to }) => to)
    .curve(curveMonotoneX);
  const width = barWidthOf(bands.width);
  return series.map(({ id, color }, of) => {
    const points = parts![of]!.map(([from, to], at) => ({ x: bands.centerOf(at), from: y(from), to: y(to) }));
    const past = points.slice(0, openAt);
    const open = points[openAt];
    return (
      <g key={id} style={{ color }}>
        <path className="chart-area" d={ground(past) ?? ''} />
        <path className="chart-line is-past" d={edge(past) ?? ''} />
        {open && open.to < open.from && (
          <path className="chart-bar" d={barPath({ ...open, x: open.x - width / 2, width, radius: radiusOf(width) })} />
        )}
      </g>
    );
  });
}

function Lines({ picture: { series }, layout: { bands, y } }: Pick<Props, 'picture' | 'layout'>) {
  type Point = { x: number; value: number | undefined };
  const edge = line<Point>()
    .defined(({ value }) => value !== undefined)
    .x(({ x }) => x)
    .y(({ value }) => y(value!))
    .curve(curveMonotoneX);
  return series.map(({ id, color, values }) => {
    const points = values.map((value, at) => ({ value, x: bands.centerOf(at) }));
    // A value between two gaps has no line.
    const lonely = points.filter(
      ({ value }, at) => value !== undefined && [at - 1, at + 1].every((by) => points[by]?.value === undefined),
    );
    return (
      <g key={id} style={{ color }}>
        <path className="chart-line" d={edge(points) ?? ''} />
        {lonely.map(({ x, value }) => (
          <circle key={x} className="chart-dot" cx={x} cy={y(value!)} r={2.5} />
        ))}
      </g>
    );
  });
}
