import type { KeyedFigures } from './keyed.ts';
import type { Measured } from './measure.ts';
import { type Figure, medianAt, type Point, ratioAt, surplusAt, medianOf, percentileOf } from './point.ts';
import type { Delivered } from './runs/readers.ts';
import type { Compared, RunFigures } from './runs/runs.ts';
import type { SpeechFigures } from './speech.ts';

/** All figures of a run, with their goals. */
export function rowsOf({
  chat,
  streams,
  firstText,
  memory,
  afterStreamsMiB,
  coldStartMs,
  ledger,
  runs,
  speech,
  killed,
  keyed,
}: Measured): Row[] {
  return [
    ratioRow('chat req/s, 64 connections', chat.c64, 'requestsPerSecond', { min: 0.7 }),
    ratioRow('chat req/s, 16 connections', chat.c16, 'requestsPerSecond', { min: 0.5 }),
    ratioRow('chat req/s, 1 connection', chat.c1, 'requestsPerSecond', { min: 0.3 }),
    ratioRow('CPU µs a request, 64 connections', chat.c64, 'cpuMicrosPerRequest', { max: 1.6 }),
    ratioRow('busy share of the core, 64 connections', chat.c64, 'cpuShare', {}),
    ...latencyRows(chat),
    ratioRow('chunks/s, 16 streams', streams, 'eventsPerSecond', { min: 0.8 }),
    firstTextRow(firstText),
    errorsRow([chat.c64, chat.c16, chat.c1, streams, firstText]),
    ...memoryRows(memory),
    { ...none, figure: 'resident MiB after streams', ours: short(afterStreamsMiB) },
    coldStartRow(coldStartMs),
    ...ledgerRows(ledger),
    ...rowsOfRuns(runs),
    ...rowsOfSpeech(speech),
    ...killedRows(killed),
    ...keyedRows(keyed),
  ];
}

function ratioRow(figure: string, point: Point, of: Figure, goal: { min?: number; max?: number }): Row {
  const ratio = ratioAt(point, 'ours', of);
  return {
    figure,
    ours: short(medianAt(point, 'ours', of)),
    raw: short(medianAt(point, 'raw', of)),
    koa: `${short(medianAt(point, 'koa', of))} (${ratioAt(point, 'koa', of).toFixed(2)})`,
    ratio: ratio.toFixed(2),
    ...goalOf(ratio, goal),
  };
}

function latencyRows({ c64, c16, c1 }: Measured['chat']): Row[] {
  return [
    ratioRow('p50 ms, 64 connections', c64, 'p50Ms', {}),
    ratioRow('p99 ms, 64 connections', c64, 'p99Ms', {}),
    ratioRow('p50 ms, 16 connections', c16, 'p50Ms', {}),
    ratioRow('p99 ms, 16 connections', c16, 'p99Ms', {}),
    ratioRow('p50 ms, 1 connection', c1, 'p50Ms', {}),
    ratioRow('p99 ms, 1 connection', c1, 'p99Ms', {}),
    addedRow(c1),
  ];
}

/** The time that a server adds to the upstream's answer. */
function addedRow(point: Point): Row {
  const addedMs = (name: 'ours' | 'raw' | 'koa') =>
    medianOf(point[name].map((sample, round) => sample.p50Ms - point.direct[round]!.p50Ms));
  const [ours, raw, koa] = [addedMs('ours'), addedMs('raw'), addedMs('koa')];
  const texts = { ours: short(ours), raw: short(raw), koa: `${short(koa)} (${(koa / raw).toFixed(2)})` };
  return {
    figure: 'added p50 ms, 1 connection',
    ...texts,
    ratio: (ours / raw).toFixed(2),
    ...goalOf(ours / raw, { max: 4 }),
  };
}

function firstTextRow(point: Point): Row {
  const addedMs = surplusAt(point, 'firstTextP50Ms');
  const row = ratioRow('first token p50 ms, 8 streams (ratio: ours - raw)', point, 'firstTextP50Ms', {});
  return { ...row, ratio: `${short(addedMs)} ms`, ...goalOf(addedMs, { max: 1 }) };
}

function errorsRow(points: Point[]): Row {
  const errors = points.flatMap((point) => Object.values(point).flat()).reduce((sum, sample) => sum + sample.errors, 0);
  return { ...none, figure: 'errors, all servers', ours: String(errors), ...goalOf(errors, { max: 0 }) };
}

function memoryRows({ requests, peakMiB, earlyMiB, lateMiB }: Measured['memory']): Row[] {
  const growth = lateMiB / earlyMiB;
  return [
    { ...none, figure: 'resident MiB under load', ours: short(peakMiB), ...goalOf(peakMiB, { max: 250 }) },
    {
      ...none,
      figure: `resident MiB, last ÷ first quarter of ${requests} requests`,
      ours: `${short(lateMiB)} ÷ ${short(earlyMiB)}`,
      ratio: growth.toFixed(2),
      ...goalOf(growth, { max: 1.1 }),
    },
  ];
}

function coldStartRow({ ours, raw }: Measured['coldStartMs']): Row {
  const texts = { ours: short(ours), raw: short(raw), ratio: (ours / raw).toFixed(2) };
  return { ...none, figure: 'ms from start to first answer', ...texts, ...goalOf(ours, { max: 1_000 }) };
}

function ledgerRows({ hot, spread, transactions, alone }: Measured['ledger']): Row[] {
  const perSecond = (rates: typeof transactions) => medianOf(rates.map((rate) => rate.perSecond));
  const ratioOf = (ours: number[], theirs: typeof transactions) =>
    medianOf(ours.map((perSecond, round) => perSecond / theirs[round]!.perSecond));
  const hotPerSecond = hot.map((rate) => rate.perSecond);
  const over = (rates: typeof transactions) => ratioOf(hotPerSecond, rates);
  const postedRow = (rates: typeof hot, goal: { min?: number }) => {
    const posted = rates.map((rate) => rate.postedPerSecond);
    const ratio = ratioOf(posted, transactions);
    const texts = { ours: short(medianOf(posted)), raw: short(perSecond(transactions)), ratio: ratio.toFixed(1) };
    return { ...none, ...texts, ...goalOf(ratio, goal) };
  };
  const aloneMs = medianOf(alone.map((rate) => rate.p50Ms));
  const hotText = short(perSecond(hot));
  const isEven = Math.abs(over(spread) - 1) <= 0.1;
  return [
    {
      ...none,
      figure: 'settlements/s, hot account, 64 waiters (ratio: to a transaction each)',
      ours: hotText,
      raw: short(perSecond(transactions)),
      ratio: over(transactions).toFixed(1),
      ...goalOf(over(transactions), { min: 10 }),
    },
    {
      ...none,
      figure: 'settlements/s, hot account (ratio: to spread over many)',
      ours: hotText,
      raw: short(perSecond(spread)),
      ratio: over(spread).toFixed(2),
      goal: '0.9 to 1.1',
      isMet: isEven,
    },
    { ...postedRow(hot, { min: 10 }), figure: 'settlements/s until all are in the ledger, hot account' },
    { ...postedRow(spread, {}), figure: 'settlements/s until all are in the ledger, spread over many' },
    { ...none, figure: 'settlement ms p50, 1 waiter', ours: short(aloneMs) },
  ];
}

function killedRows({ answered, lost, holdsLeftByDeath, holdsLeftAfterSweep }: Measured['killed']): Row[] {
  return [
    { ...none, figure: `answers lost by SIGKILL, of ${answered}`, ours: String(lost), ...goalOf(lost, { max: 0 }) },
    {
      ...none,
      figure: `holds left after the sweep, of ${holdsLeftByDeath}`,
      ours: String(holdsLeftAfterSweep),
      ...goalOf(holdsLeftAfterSweep, { max: 0 }),
    },
  ];
}

function keyedRows({ alone, twoNodes }: KeyedFigures): Row[] {
  const row = (figure: string, addedMs: number, max: number) => ({
    ...none,
    figure: `added ms p50, ${figure}`,
    ours: short(addedMs),
    ...goalOf(addedMs, { max }),
  });
  return [
    row('idempotency key, one API', alone.keyedMs, 2),
    row('idempotency key, two APIs', twoNodes.keyedMs, 10),
    row('retry without a first try, one API', alone.retryMs, 2),
    row('retry without a first try, two APIs', twoNodes.retryMs, 10),
  ];
}

/** The figures of runs, with their goals. The column raw-http shows bare Temporal. */
function rowsOfRuns({ accepted, alone, together, delivered, inFlight }: RunFigures): Row[] {
  return [
    comparedRow('run accepted, p50 ms (ratio: to bare Temporal’s start)', accepted, 0.5, 2),
    comparedRow('run accepted, p99 ms', accepted, 0.99),
    comparedRow('run start to end, 1 in flight, p50 ms (ratio: to a bare workflow)', alone, 0.5, 1.5),
    comparedRow('run start to end, 1 in flight, p99 ms', alone, 0.99),
    comparedRow(`run start to end, ${inFlight} in flight, p50 ms`, together, 0.5, 1.5),
    comparedRow(`run start to end, ${inFlight} in flight, p99 ms`, together, 0.99),
    ...deliveredRows(delivered),
  ];
}

function comparedRow(figure: string, rounds: Compared[], share: number, max?: number): Row {
  const at = (of: keyof Compared) => medianOf(rounds.map((round) => percentileOf(round[of], share)));
  const ratio = medianOf(rounds.map(({ ours, bare }) => percentileOf(ours, share) / percentileOf(bare, share)));
  const texts = { ours: short(at('ours')), raw: short(at('bare')), ratio: ratio.toFixed(2) };
  return { ...none, figure, ...texts, ...goalOf(ratio, { max }) };
}

function deliveredRows(delivered: Delivered[]): Row[] {
  const readers = delivered[0]!.readers;
  const median = (figure: 'deliveredPerSecond' | 'cpuMicrosPerDelivery') =>
    short(medianOf(delivered.map((round) => round[figure])));
  return [
    { ...none, figure: `events/s to ${readers} readers of one run, all together`, ours: median('deliveredPerSecond') },
    { ...none, figure: 'CPU µs an event and reader', ours: median('cpuMicrosPerDelivery') },
  ];
}

/** The rows of the report without a baseline: only the first audio has a goal. */
function rowsOfSpeech({ charactersPerSecond, firstSoundRatio, realTimeFactor }: SpeechFigures): Row[] {
  return [
    { figure: 'speech, characters/s on one core', ...none, ours: short(charactersPerSecond) },
    { figure: 'speech, seconds of sound a second', ...none, ours: short(realTimeFactor) },
    {
      figure: 'speech, first sound against the whole',
      ...none,
      ours: short(firstSoundRatio),
      ratio: firstSoundRatio.toFixed(2),
      ...goalOf(firstSoundRatio, { max: 0.25 }),
    },
  ];
}

const HEAD = ['figure', 'ours', 'raw-http', 'bare Koa', 'ratio', 'goal', 'met'];

/** The report as text in columns. */
export function tableOf(rows: Row[]): string {
  const lines = [HEAD, ...rows.map(cellsOf)];
  const widths = HEAD.map((_, column) => Math.max(...lines.map((cells) => cells[column]!.length)));
  const text = (cells: string[]) =>
    cells.map((cell, column) => (column === 0 ? cell.padEnd(widths[0]!) : cell.padStart(widths[column]!))).join('  ');
  return lines.map(text).join('\n');
}

function cellsOf({ figure, ours, raw, koa, ratio, goal, isMet }: Row): string[] {
  const met = isMet === null ? '' : isMet ? 'yes' : 'NO';
  return [figure, ours, raw, koa, ratio, goal, met];
}

/** One line of the report. `ratio` is ours divided by raw-http's, unless the figure says otherwise. */
interface Row {
  figure: string;
  ours: string;
  raw: string;
  koa: string;
  ratio: string;
  goal: string;
  isMet: boolean | null;
}

/** A row with empty cells here. */
const none = { raw: '', koa: '', ratio: '', goal: '', isMet: null };

/** The goal, and whether a value meets it. */
function goalOf(value: number, { min, max }: { min?: number; max?: number }): Pick<Row, 'goal' | 'isMet'> {
  if (min !== undefined) return { goal: `≥ ${min}`, isMet: value >= min };
  if (max !== undefined) return { goal: `≤ ${max}`, isMet: value <= max };
  return { goal: '', isMet: null };
}

/** Three significant digits; whole numbers from 100 on. */
export function short(value: number): string {
  return Math.abs(value) >= 100 ? value.toFixed(0) : value.toPrecision(3);
}
