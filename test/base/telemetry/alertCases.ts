import { api, apiLabels, other, requests, worker, type AlertCase } from './alertCase.ts';
import { CASES_OF_MONEY } from './alertCasesOfMoney.ts';
import { CASES_OF_WORK } from './alertCasesOfWork.ts';

const duration = (route: string) => ({
  slow: {
    [`ledgerline_http_request_duration_seconds_bucket{${api},route="${route}",le="1"}`]: '0x20',
    [`ledgerline_http_request_duration_seconds_bucket{${api},route="${route}",le="5"}`]: '0+10x20',
    [`ledgerline_http_request_duration_seconds_bucket{${api},route="${route}",le="+Inf"}`]: '0+10x20',
    [`ledgerline_http_request_duration_seconds_count{${api},route="${route}"}`]: '0+10x20',
  },
});
const calls = (outcome: string, of = api) =>
  `ledgerline_upstream_calls_total{${of},upstream="main",outcome="${outcome}"}`;
const lastHour = (outcome: string, of = worker) =>
  `ledgerline_upstream_requests{${of},upstream="main",outcome="${outcome}"}`;
const mails = `ledgerline_backlog_age_seconds{${worker},kind="mails"}`;
const sentOnce = (outcome: string) => `ledgerline_mails_total{${api},outcome="${outcome}"}`;
const certificate = (secondsLeft: number) => ({
  [`ledgerline_certificate_expiry_timestamp_seconds{${worker},host="api.example"}`]: `${secondsLeft + 1800}x40`,
  [`ledgerline_certificate_lifetime_seconds{${worker},host="api.example"}`]: '7776000x40',
});

/** In the order of the rules. */
export const CASES: AlertCase[] = [
  { alert: 'Watchdog', series: {}, fires: { at: '0m', summary: 'The alerting works' } },
  {
    alert: 'ApiGone',
    series: { [`up{${api}}`]: '0x10' },
    fires: { at: '1m', summary: 'No process of the API answers' },
    notAt: '0m',
    quiet: { [`up{${api}}`]: '1x10', 'up{job="ledgerline-api",instance="b:9464"}': '0x10' },
  },
  {
    alert: 'ApiGone',
    about: 'a target that is no longer known',
    series: {},
    fires: { at: '1m', summary: 'No process of the API answers' },
  },
  {
    alert: 'WorkersGone',
    about: 'both are down',
    series: { [`up{${worker}}`]: '1 1 0x10', [`up{${other}}`]: '1 0x11' },
    fires: { at: '4m', summary: 'No worker answers: runs, batches, webhooks and checks stand still' },
    notAt: '3m',
    quiet: { [`up{${worker}}`]: '1x10', [`up{${other}}`]: '0x10' },
  },
  {
    alert: 'WorkersGone',
    about: 'both were removed',
    series: { [`up{${worker}}`]: '1 1 stale', [`up{${other}}`]: '1 1 stale' },
    fires: { at: '4m', summary: 'No worker answers: runs, batches, webhooks and checks stand still' },
    notAt: '3m',
  },
  {
    alert: 'ProcessDown',
    series: { [`up{${api}}`]: '1 0x10' },
    fires: { at: '2m', labels: apiLabels, summary: 'ledgerline-api at a:9464 does not answer' },
    notAt: '1m',
    quiet: { [`up{${api}}`]: '1 0 1x10', 'up{job="another",instance="x"}': '0x10' },
  },
  {
    alert: 'ProcessDown',
    about: 'one of several processes',
    series: {
      [`ledgerline_process_up{${api},process="2"}`]: '0x10',
      [`ledgerline_process_up{${api},process="1"}`]: '1x10',
    },
    fires: { at: '1m', labels: { ...apiLabels, process: '2' }, summary: 'ledgerline-api at a:9464 does not answer' },
  },
  {
    alert: 'ProcessRestarts',
    series: { [`process_start_time_seconds{${worker}}`]: '100+60x4' },
    fires: {
      at: '4m',
      labels: { job: 'ledgerline-worker', instance: 'w:9464' },
      summary: 'ledgerline-worker at w:9464 was started 4 times in 15 minutes',
    },
    notAt: '3m',
    // Of several processes each counts alone.
    quiet: {
      [`process_start_time_seconds{${api},process="1"}`]: '1 2x3',
      [`process_start_time_seconds{${api},process="2"}`]: '1 1 2 3 4',
    },
  },
  {
    alert: 'DescriptorsUsed',
    series: { [`process_open_fds{${api}}`]: '820x5', [`process_max_fds{${api}}`]: '1024x5' },
    fires: {
      at: '2m',
      labels: apiLabels,
      summary: 'a:9464 has 820 files and sockets open: soon it takes no connection',
    },
    notAt: '1m',
    quiet: { [`process_open_fds{${api}}`]: '819x5', [`process_max_fds{${api}}`]: '1024x5' },
  },
  {
    alert: 'ClockSkewed',
    series: { [`ledgerline_clock_skew_seconds{${api}}`]: '-2.5x5' },
    fires: { at: '2m', labels: apiLabels, summary: "The clock of a:9464 is 2.5s off the database's" },
    notAt: '1m',
    quiet: { [`ledgerline_clock_skew_seconds{${api}}`]: '-1.9x5' },
  },
  {
    alert: 'EventLoopBlocked',
    series: { [`nodejs_eventloop_lag_p99_seconds{${api}}`]: '0.5x10' },
    fires: { at: '5m', labels: apiLabels, summary: 'The event loop of a:9464 is 500ms late' },
    notAt: '4m',
    quiet: { [`nodejs_eventloop_lag_p99_seconds{${api}}`]: '0.2x10' },
  },
  {
    alert: 'MetricsIncomplete',
    series: { [`ledgerline_metrics_failures_total{${api},gauge="ledgerline_x"}`]: '0+4x30' },
    fires: { at: '15m', labels: { ...apiLabels, gauge: 'ledgerline_x' }, summary: 'a:9464 cannot read ledgerline_x' },
    notAt: '5m',
    quiet: { [`ledgerline_metrics_failures_total{${api},gauge="ledgerline_x"}`]: '0 1 2 3x30' },
  },
  {
    alert: 'ManyErrors',
    series: { [requests('route="/x",status="200"')]: '0+90x20', [requests('route="/x",status="503"')]: '0+10x20' },
    fires: { at: '10m', summary: '10% of the requests fail' },
    notAt: '5m',
    quiet: { [requests('route="/x",status="200"')]: '0+10x20', [requests('route="/x",status="503"')]: '0+1x20' },
  },
  {
    alert: 'RouteSlow',
    series: duration('/v1/models').slow,
    fires: {
      at: '9m',
      labels: { route: '/v1/models' },
      summary: '5 of 100 answers of /v1/models take longer than 4.8s',
    },
    notAt: '6m',
    // A model's answer may take that long, and a stream of events has no goal.
    quiet: { ...duration('/v1/chat/completions').slow, ...duration('/v1/runs/{run_id}/events').slow },
  },
  {
    alert: 'UpstreamDown',
    about: 'after a busy good hour',
    series: {
      [calls('answered')]: '0+100x60 6000x10',
      [calls('unreachable')]: '0x60 50+50x10',
      [lastHour('served')]: '6000x70',
      [lastHour('failed')]: '0x60 50+50x10',
    },
    fires: {
      at: '66m',
      labels: { upstream: 'main' },
      summary: 'Half or more of the calls of main failed in the last five minutes',
    },
    notAt: '62m',
    quiet: { [calls('answered')]: '0+100x70', [calls('failed')]: '0+20x70' },
  },
  {
    alert: 'UpstreamDown',
    about: 'streams that all break off, in two processes',
    series: {
      [calls('answered')]: '0+1x10',
      [calls('failed')]: '0+1x10',
      [calls('answered', worker)]: '0+1x10',
      [calls('failed', worker)]: '0+1x10',
    },
    fires: {
      at: '6m',
      labels: { upstream: 'main' },
      summary: 'Half or more of the calls of main failed in the last five minutes',
    },
    // Callers' own faults and a refused account are no failures, nor are four calls at night.
    quiet: { [calls('refused')]: '0+50x10', [calls('account')]: '0+50x10', [calls('failed')]: '0 1 2 3 4 4x10' },
  },
  {
    alert: 'UpstreamFailing',
    // Both workers report the same figures.
    series: {
      [lastHour('failed')]: '12x10',
      [lastHour('served')]: '10x10',
      [lastHour('failed', other)]: '12x10',
      [lastHour('served', other)]: '10x10',
    },
    fires: {
      at: '5m',
      labels: { upstream: 'main' },
      summary: 'More than half of the calls of main failed in the last hour',
    },
    notAt: '4m',
    quiet: { [lastHour('failed')]: '9x10', [lastHour('served')]: '0x10' },
  },
  {
    alert: 'UpstreamAccountRefused',
    series: { [`ledgerline_upstream_account_refused{${api},upstream="main"}`]: '0 1' },
    fires: {
      at: '1m',
      labels: { upstream: 'main' },
      summary: 'main refuses the key or the account of the platform, or its credit is used up',
    },
    notAt: '0m',
    quiet: { [`ledgerline_upstream_account_refused{${api},upstream="main"}`]: '0x5' },
  },
  {
    alert: 'ImplausibleUsage',
    series: { [`ledgerline_implausible_usage{${api},model="m"}`]: '2x5' },
    fires: { at: '0m', labels: { model: 'm' }, summary: '2 calls of m in the last hour had a usage that cannot be' },
    quiet: { [`ledgerline_implausible_usage{${api},model="m"}`]: '0x5' },
  },
  {
    alert: 'LimitStoreDown',
    series: {
      [`ledgerline_limit_store_up{${api},process="1"}`]: '1x9',
      [`ledgerline_limit_store_up{${api},process="2"}`]: '0x9',
    },
    fires: {
      at: '1m',
      labels: apiLabels,
      summary: 'a:9464 gets no answer from the store of limits: each process counts alone',
    },
    notAt: '0m',
    quiet: { [`ledgerline_limit_store_up{${api}}`]: '1x9' },
  },
  {
    alert: 'FileStoreDown',
    series: { [`ledgerline_file_store_up{${api}}`]: '0x9' },
    fires: { at: '2m', labels: apiLabels, summary: 'a:9464 gets no answer from the store of files' },
    notAt: '1m',
    quiet: { [`ledgerline_file_store_up{${api}}`]: '1x9' },
  },
  {
    alert: 'CertificateExpires',
    series: certificate(17 * 86_400),
    fires: {
      at: '30m',
      labels: { host: 'api.example' },
      summary: 'The certificate of api.example expires in 17d 0h 0m 0s, and was not renewed',
    },
    notAt: '9m',
    quiet: certificate(19 * 86_400),
  },
  {
    alert: 'CertificateExpiresSoon',
    series: certificate(4 * 86_400),
    fires: {
      at: '30m',
      labels: { host: 'api.example' },
      summary: 'The certificate of api.example expires in 4d 0h 0m 0s',
    },
    notAt: '1m',
    quiet: certificate(5 * 86_400),
  },
  ...CASES_OF_MONEY,
  ...CASES_OF_WORK,
  {
    alert: 'MailsLate',
    series: { [mails]: '7000 7300x5' },
    fires: { at: '1m', summary: 'A mail could not be sent for 2h 1m 40s' },
    notAt: '0m',
    quiet: { [mails]: '7100x5' },
  },
  {
    alert: 'MailsFail',
    series: { [sentOnce('failed')]: '0 1 2x60', [sentOnce('sent')]: '5x62' },
    fires: { at: '60m', summary: '2 mails of sign-up or new passwords were not sent in the last hour, more than were' },
    notAt: '1m',
    quiet: { [sentOnce('failed')]: '0 1 2x60', [sentOnce('sent')]: '5 6 7x60' },
  },
];
