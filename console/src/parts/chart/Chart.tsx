import { Skeleton } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import { useMemo, useState, type KeyboardEvent, type PointerEvent } from 'react';
import { HoverCard } from './HoverCard.tsx';
import { layoutOf, type Layout, type Picture, type Shape, type TextOf } from './layout.ts';
import { Numbers, sentenceAt } from './Numbers.tsx';
import { Plot } from './Plot.tsx';

interface Props {
  /** What it shows. */
  label: string;
  /** Undefined while it loads. */
  picture: Picture | undefined;
  shape: Shape;
  height?: number;
  textOf: TextOf;
  /** How the axis writes a value; `step` is the distance of two ticks. */
  tickText: (value: number, step: number) => string;
  /** Counts have no fractions. */
  isWhole?: boolean;
  totalName?: string;
  /** What is said when there is nothing to draw. */
  empty: string;
  /** A step was chosen, and perhaps one of the series there: by a click, or by Enter. */
  onPick?: (at: number, seriesId?: string) => void;
}

const HEIGHT = 260;

/** Values over time, as bars, areas or lines: with a crosshair that the pointer and the arrow keys move. As high while it loads. */
export function Chart({ height = HEIGHT, ...props }: Props) {
  const { ref, width } = useElementSize<HTMLDivElement>();
  return (
    <div ref={ref} className="chart" style={{ height }}>
      {props.picture && width > 0 ? (
        <Drawn {...props} picture={props.picture} width={width} height={height} />
      ) : (
        !props.picture && <Skeleton height={height} />
      )}
    </div>
  );
}

type DrawnProps = Omit<Props, 'picture' | 'height'> & { picture: Picture; width: number; height: number };

function Drawn(props: DrawnProps) {
  const {
    label,
    picture,
    shape,
    width,
    height,
    textOf,
    tickText,
    isWhole = false,
    totalName = 'Total',
    empty,
    onPick,
  } = props;
  const layout = useMemo(
    () => layoutOf({ picture, shape, tickText, isWhole, width, height }),
    [picture, shape, tickText, isWhole, width, height],
  );
  const [at, setAt] = useState<number>();
  const shown = at !== undefined && at < picture.steps.length && !layout.isEmpty ? at : undefined;
  const isSummed = shape !== 'lines';
  const keys = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && shown !== undefined && onPick) return onPick(shown);
    const next = nextPlace(event.key, shown, picture);
    if (next === 'none' || layout.isEmpty) return;
    event.preventDefault();
    setAt(next);
  };
  return (
    <div
      className="chart-focus"
      role="group"
      aria-roledescription="chart"
      aria-label={`${label}. ${onPick ? 'Arrow keys read it step by step, Enter shows the requests.' : 'Arrow keys read it step by step.'}`}
      tabIndex={0}
      onKeyDown={keys}
      onBlur={() => setAt(undefined)}
    >
      <svg width={width} height={height} aria-hidden {...usePointer({ layout, shown, setAt, picture, onPick })}>
        {shown !== undefined && <Crosshair layout={layout} at={shown} shape={shape} />}
        <Plot picture={picture} layout={layout} shape={shape} />
        {shown !== undefined && shape !== 'bars' && <Dots layout={layout} picture={picture} at={shown} />}
      </svg>
      {layout.isEmpty && <p className="chart-empty">{empty}</p>}
      {shown !== undefined && (
        <HoverCard
          picture={picture}
          at={shown}
          layout={layout}
          textOf={textOf}
          isSummed={isSummed}
          totalName={totalName}
        />
      )}
      <p className="for-readers" aria-live="polite">
        {shown !== undefined && sentenceAt({ picture, at: shown, textOf, isSummed, totalName })}
      </p>
      <Numbers label={label} picture={picture} textOf={textOf} isSummed={isSummed} totalName={totalName} />
    </div>
  );
}

/** Moves the crosshair with the pointer; a click chooses what lies below it. A first tap on a phone only shows the numbers. */
function usePointer({
  layout,
  picture,
  shown,
  setAt,
  onPick,
}: {
  layout: Layout;
  picture: Picture;
  shown: number | undefined;
  setAt: (at: number | undefined) => void;
  onPick: Props['onPick'];
}) {
  const [tapped, setTapped] = useState(false);
  const placeOf = ({ clientX, currentTarget }: PointerEvent<SVGSVGElement>) =>
    layout.bands.at(clientX - currentTarget.getBoundingClientRect().left);
  return {
    className: onPick && !layout.isEmpty ? 'is-pickable' : undefined,
    onPointerMove: (event: PointerEvent<SVGSVGElement>) => setAt(placeOf(event)),
    onPointerDown: (event: PointerEvent<SVGSVGElement>) => {
      setTapped(event.pointerType === 'touch' && placeOf(event) !== shown);
      setAt(placeOf(event));
    },
    onPointerLeave: (event: PointerEvent<SVGSVGElement>) => event.pointerType !== 'touch' && setAt(undefined),
    onClick: (event: React.MouseEvent<SVGSVGElement>) => {
      if (shown === undefined || tapped) return;
      const y = event.clientY - event.currentTarget.getBoundingClientRect().top;
      const of = layout.parts?.findIndex((part) => y <= layout.y(part[shown]![0]) && y >= layout.y(part[shown]![1]));
      onPick?.(shown, picture.series[of ?? -1]?.id);
    },
  };
}

/** Where an arrow key leads from a step; the first one leads to the newest. */
function nextPlace(key: string, at: number | undefined, { steps, openAt }: Picture): number | undefined | 'none' {
  const last = steps.length - 1;
  const newest = Math.min(openAt ?? last, last);
  if (key === 'ArrowLeft') return at === undefined ? newest : Math.max(0, at - 1);
  if (key === 'ArrowRight') return at === undefined ? newest : Math.min(last, at + 1);
  if (key === 'Home') return 0;
  if (key === 'End') return last;
  if (key === 'Escape') return undefined;
  return 'none';
}

function Crosshair({ layout, at, shape }: { layout: Layout; at: number; shape: Shape }) {
  const { bands, top, bottom } = layout;
  if (shape === 'bars')
    return (
      <rect className="chart-band" x={bands.startOf(at)} y={top} width={bands.width} height={bottom - top} rx={4} />
    );
  const x = Math.round(bands.centerOf(at)) + 0.5;
  return <line className="chart-crosshair" x1={x} x2={x} y1={top} y2={bottom} />;
}

function Dots({
  layout: { bands, y, parts },
  picture: { series },
  at,
}: {
  layout: Layout;
  picture: Picture;
  at: number;
}) {
  return series.map(({ id, color, values }, of) => {
    const value = parts ? parts[of]![at]![1] : values[at];
    return value === undefined ? null : (
      <circle key={id} className="chart-dot" style={{ color }} cx={bands.centerOf(at)} cy={y(value)} r={4} />
    );
  });
}
