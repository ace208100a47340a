/** Series by their names, with values for each minute in Prometheus's notation: `1x5` is six times 1, `0+2x5` rises by 2. */
type Series = Record<string, string>;

/** What an alert must do with these series: fire at a time with a summary, and not before, or with others. */
export interface AlertCase {
  alert: string;
  /** Several cases of one alert are told apart by it. */
  about?: string;
  series: Series;
  fires: { at: string; labels?: Record<string, string>; summary: string };
  /** A time when it does not fire yet. */
  notAt?: string;
  /** Series with which it does not fire at that time, close to the limit. */
  quiet?: Series;
}

/** The labels of an API and of two workers. */
export const api = 'job="ledgerline-api",instance="a:9464"';
export const worker = 'job="ledgerline-worker",instance="w:9464"';
export const other = 'job="ledgerline-worker",instance="w2:9464"';
export const apiLabels = { job: 'ledgerline-api', instance: 'a:9464' };
export const requests = (labels: string) => `ledgerline_http_requests_total{${api},method="POST",${labels}}`;
