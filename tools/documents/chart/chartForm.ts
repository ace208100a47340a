export const CHART_KINDS = ['bar', 'line', 'area', 'scatter', 'pie'] as const;

/** A chart's numbers. Each series has one value for each label; null is a gap. */
export interface Chart {
  kind: (typeof CHART_KINDS)[number];
  title?: string;
  xTitle?: string;
  yTitle?: string;
  labels: (string | number)[];
  series: { name: string; values: (number | null)[] }[];
  /** Bars and areas of several series are stacked. */
  isStacked?: boolean;
  width: number;
  height: number;
}
