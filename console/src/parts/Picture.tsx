import '@mantine/charts/styles.css';
import { BarChart } from '@mantine/charts';
import { ColorSwatch } from '@mantine/core';

export interface PictureProps {
  /** What it shows, for people who cannot see it; the numbers stand in a table beside it. */
  label: string;
  rows: Record<string, string | number>[];
  /** The member of a row that names its bar. */
  nameKey: string;
  series: { name: string; label?: string }[];
  /** How the axis writes it. */
  nameText?: (name: string) => string;
  valueText: (value: number) => string;
  onBar?: (row: Record<string, string | number>, series: string) => void;
  height?: number;
}

const COLORS = ['ledger.6', 'blue.6', 'orange.6', 'grape.6', 'cyan.7', 'pink.6', 'lime.7', 'indigo.6', 'gray.6'];

const colorOf = (at: number): string => COLORS[at % COLORS.length]!;

export default function Picture({ label, rows, nameKey, nameText, series, valueText, onBar, height }: PictureProps) {
  return (
    <figure className="picture" aria-label={label}>
      <BarChart
        h={height}
        data={rows}
        dataKey={nameKey}
        type="stacked"
        series={series.map(({ name, label: seriesLabel }, at) => ({
          name,
          label: seriesLabel ?? name,
          color: colorOf(at),
        }))}
        valueFormatter={valueText}
        gridAxis="y"
        tickLine="none"
        maxBarWidth={44}
        xAxisProps={{ tickFormatter: nameText, minTickGap: 24 }}
        yAxisProps={{ width: 72 }}
        barChartProps={{ accessibilityLayer: true }}
        barProps={({ name }) => ({
          isAnimationActive: false,
          cursor: onBar ? 'pointer' : undefined,
          onClick: (bar: { payload?: unknown }) => onBar?.(bar.payload as Record<string, string | number>, name),
        })}
      />
      {series.length > 1 && (
        <figcaption>
          <ul className="picture-key">
            {series.map(({ name, label: seriesLabel }, at) => (
              <li key={name}>
                <ColorSwatch
                  size={10}
                  color={`var(--mantine-color-${colorOf(at).replace('.', '-')})`}
                  withShadow={false}
                />
                {seriesLabel ?? name}
              </li>
            ))}
          </ul>
        </figcaption>
      )}
    </figure>
  );
}
