import type { Registry } from 'prom-client';
import { waitAtMost } from '../waiting.ts';

/** One value of a gauge, with its labels. */
export interface Sample {
  labels?: Record<string, string>;
  value: number;
}

/** A gauge that is read on each scrape. A failed read leaves it without values, and counts as a failure. */
export interface ReadGauge {
  name: string;
  help: string;
  labels?: readonly string[];
  /** Whether its values only rise: what is read is the count since the start of the process. */
  isCounter?: true;
  /** How long reading may take; a later answer counts as a failure. */
  limitMs?: number;
  read: () => Promise<Sample[]> | Sample[];
}

/** An answered request. */
export interface AnsweredRequest {
  method: string;
  route: string;
  status: number;
  durationMs: number;
  model: string | undefined;
  costUsd: number | undefined;
}

export type Metrics = Awaited<ReturnType<typeof openMetrics>>;

// A part that is away must not end the scrape: Prometheus waits ten seconds, and then takes this process for dead.
const READ_LIMIT_MS = 3_000;
const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300];

/** The metrics of this process, with Node's own (event loop, garbage collection, memory). Only this call loads the library. */
export async function openMetrics(gauges: ReadGauge[]) {
  const { Registry, Counter, Gauge, Histogram, collectDefaultMetrics } = (await import('prom-client')).default;
  const registry: Registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const failures = new Counter({
    name: 'ledgerline_metrics_failures_total',
    help: 'Gauges that could not be read',
    labelNames: ['gauge'],
    registers,
  });
  const requests = new Counter({
    name: 'ledgerline_http_requests_total',
    help: 'Answered requests',
    labelNames: ['method', 'route', 'status'],
    registers,
  });
  const durations = new Histogram({
    name: 'ledgerline_http_request_duration_seconds',
    help: 'Time from the head of a request to the end of its answer; streams count as a whole',
    labelNames: ['route'],
    buckets: SECONDS,
    registers,
  });
  const charged = new Counter({
    name: 'ledgerline_charged_usd_total',
    help: 'What calls were billed, in US dollars',
    labelNames: ['model'],
    registers,
  });
  add(gauges);

  function add(more: ReadGauge[]): void {
    for (const { name, help, labels = [], isCounter, limitMs, read } of more) {
      const options = { name, help, labelNames: labels, registers: [], collect: collectWith(name, read, limitMs) };
      registry.registerMetric(isCounter ? new Counter(options) : new Gauge(options));
    }
  }

  function collectWith(name: string, read: ReadGauge['read'], limitMs = READ_LIMIT_MS) {
    return async function (this: InstanceType<typeof Gauge<string> | typeof Counter<string>>): Promise<void> {
      this.reset();
      try {
        for (const { labels = {}, value } of await inTime(read(), limitMs)) this.inc(labels, value);
      } catch {
        failures.inc({ gauge: name });
      }
    };
  }

  return {
    /** The text that Prometheus scrapes. */
    text: () => registry.metrics(),
    contentType: registry.contentType,
    /** Adds gauges that become readable later. */
    add,
    /** Shows a count of answered requests before there is one: an increase is seen only from a value before it. */
    announce: ({ method, route, status }: Pick<AnsweredRequest, 'method' | 'route' | 'status'>): void =>
      requests.inc({ method, route, status: String(status) }, 0),
    /** Counts an answered request. */
    count: ({ method, route, status, durationMs, model, costUsd }: AnsweredRequest): void => {
      requests.inc({ method, route, status: String(status) });
      durations.observe({ route }, durationMs / 1000);
      if (costUsd !== undefined && costUsd > 0) charged.inc({ model: model ?? 'unknown' }, costUsd);
    },
  };
}

/** What is read; without waiting for it where it is in memory. */
async function inTime(read: Promise<Sample[]> | Sample[], limitMs: number): Promise<Sample[]> {
  if (!Array.isArray(read) && !(await waitAtMost(limitMs, read))) throw new Error(`not read within ${limitMs} ms`);
  return read;
}
