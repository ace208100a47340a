import { api, apiLabels, requests, worker, type AlertCase } from './alertCase.ts';

const stripe = (status: number) => requests(`route="/platform/v1/billing/stripe/webhook",status="${status}"`);
const backlog = (kind: string) => `ledgerline_backlog_age_seconds{${worker},kind="${kind}"}`;
const lateTries = (activity: string) => `ledgerline_late_tries_total{${worker},activity="${activity}"}`;

const taskFailures = (workflow: string) =>
  `ledgerline_workflow_task_failures_total{${worker},workflow="${workflow}",reason="WorkflowError"}`;

export const CASES_OF_MONEY: AlertCase[] = [
  {
    alert: 'LedgerBroken',
    series: { [`ledgerline_ledger_check_failures{${worker}}`]: '1x5' },
    fires: { at: '0m', summary: 'The check of the ledger found a broken rule, or could not run' },
    quiet: { [`ledgerline_ledger_check_failures{${worker}}`]: '0x5' },
  },
  {
    alert: 'LedgerUnchecked',
    series: { [`ledgerline_ledger_checks_passed{${worker}}`]: '0x100' },
    fires: { at: '75m', summary: 'The ledger was not checked for hours' },
    notAt: '74m',
    quiet: { [`ledgerline_ledger_checks_passed{${worker}}`]: '0x60 1x50' },
  },
  {
    alert: 'AccountOverdrawn',
    series: { [`ledgerline_accounts{${worker},kind="overdrawn"}`]: '1x5' },
    fires: { at: '0m', summary: '1 accounts are below what reversals explain' },
    quiet: {
      [`ledgerline_accounts{${worker},kind="overdrawn"}`]: '0x5',
      [`ledgerline_accounts{${worker},kind="posted"}`]: '9x5',
    },
  },
  {
    alert: 'WrittenOff',
    series: { [`ledgerline_written_off_usd{${worker},workspace="ws_1"}`]: '2x5' },
    fires: {
      at: '0m',
      labels: { workspace: 'ws_1' },
      summary: '2 USD of calls were written off today: workspace ws_1',
    },
    quiet: {
      [`ledgerline_written_off_usd{${worker},workspace="ws_1"}`]: '0.9x5',
      [`ledgerline_written_off_usd{${worker},workspace="all"}`]: '9x5',
    },
  },
  {
    alert: 'WrittenOff',
    about: 'little of many',
    series: { [`ledgerline_written_off_usd{${worker},workspace="all"}`]: '11x5' },
    fires: {
      at: '0m',
      labels: { workspace: 'all' },
      summary: '11 USD of calls were written off today: workspace all',
    },
  },
  {
    alert: 'FailedRunsCost',
    series: { [`ledgerline_absorbed_usd{${worker},workspace="ws_1"}`]: '11x5' },
    fires: {
      at: '0m',
      labels: { workspace: 'ws_1' },
      summary: '11 USD were consumed by failed runs today, which nobody is billed: workspace ws_1',
    },
    quiet: {
      [`ledgerline_absorbed_usd{${worker},workspace="ws_1"}`]: '9x5',
      [`ledgerline_absorbed_usd{${worker},workspace="all"}`]: '99x5',
    },
  },
  {
    alert: 'LedgerUnhealthy',
    series: { [`ledgerline_ledger_healthy{${api}}`]: '0x5' },
    fires: { at: '1m', labels: apiLabels, summary: 'a:9464 cannot place holds' },
    notAt: '0m',
    quiet: { [`ledgerline_ledger_healthy{${api}}`]: '1x5', [`ledgerline_ledger_healthy{${worker}}`]: '0x5' },
  },
  {
    alert: 'LedgerUnhealthy',
    about: 'over, while its failed calls still count',
    series: { [`ledgerline_ledger_healthy{${api}}`]: '0 0 1x10' },
    fires: { at: '7m', labels: apiLabels, summary: 'a:9464 cannot place holds' },
    quiet: { [`ledgerline_ledger_healthy{${api}}`]: '0 1x10' },
  },
  {
    alert: 'SettlementsWait',
    series: { [backlog('settlements')]: '90x5' },
    fires: { at: '2m', summary: 'A settlement waits for 1m 30s to be posted' },
    notAt: '1m',
    quiet: { [backlog('settlements')]: '50x5' },
  },
  {
    alert: 'HoldsStuck',
    series: { [`ledgerline_hold_age_seconds{${worker},kind="request"}`]: '4000x9' },
    fires: { at: '5m', summary: 'A hold of a call is open for 1h 6m 40s' },
    notAt: '4m',
    quiet: {
      [`ledgerline_hold_age_seconds{${worker},kind="request"}`]: '3600x9',
      [`ledgerline_hold_age_seconds{${worker},kind="run"}`]: '9000x9',
    },
  },
  {
    alert: 'RunsOverdue',
    series: { [backlog('overdue_runs')]: '70x9' },
    fires: { at: '5m', summary: 'A run should have ended 1m 10s ago, and holds its money' },
    notAt: '4m',
    quiet: { [backlog('overdue_runs')]: '0x9' },
  },
  {
    alert: 'EndingFails',
    series: { [lateTries('finishRun')]: '0x20 0+6x9' },
    fires: {
      at: '24m',
      labels: { activity: 'finishRun' },
      summary: 'finishRun fails again and again: what it should end or move stays open, and its money held',
    },
    notAt: '21m',
    quiet: { [lateTries('finishRun')]: '0x20 2x9', [lateTries('modelStep')]: '0x20 0+6x9' },
  },
  {
    alert: 'WorkflowTasksFail',
    series: { [taskFailures('run')]: '_x3 1 2 3x19' },
    fires: {
      at: '6m',
      labels: { workflow: 'run' },
      summary: 'Workflows run hang: their code fails, or does not fit what they did before',
    },
    notAt: '4m',
    quiet: { [taskFailures('run')]: '0x3 1x20' },
  },
  {
    alert: 'DeadProcess',
    series: { [backlog('dead_processes')]: '150x5' },
    fires: { at: '2m', summary: 'The holds of a dead process were not ended for 2m 30s' },
    notAt: '1m',
    quiet: { [backlog('dead_processes')]: '100x5' },
  },
  {
    alert: 'PaymentUncredited',
    series: { [`ledgerline_uncredited_payments{${worker}}`]: '1x5' },
    fires: {
      at: '0m',
      summary: '1 events of Stripe in the last day are about payments that could not be credited',
    },
    quiet: { [`ledgerline_uncredited_payments{${worker}}`]: '0x5' },
  },
  {
    alert: 'PaymentEventsFail',
    about: 'answered 5xx',
    series: { [stripe(200)]: '5x20', [stripe(500)]: '0 1 2 3 3x20' },
    fires: { at: '5m', summary: 'Events of Stripe are not taken: payments are credited a day late' },
    notAt: '1m',
    quiet: { [stripe(500)]: '0 1 1x20' },
  },
  {
    alert: 'PaymentEventsFail',
    about: 'a wrong secret',
    series: { [stripe(200)]: '5x20', [stripe(400)]: '0+1x20' },
    fires: { at: '8m', summary: 'Events of Stripe are not taken: payments are credited a day late' },
    // A stranger sends events while true ones arrive.
    quiet: { [stripe(200)]: '0+1x20', [stripe(400)]: '0+9x20' },
  },
  {
    alert: 'PaymentsMissed',
    series: { [`ledgerline_missed_payments{${worker}}`]: '2x5' },
    fires: { at: '0m', summary: 'The comparison with Stripe credited 2 payments whose events had not come' },
    quiet: { [`ledgerline_missed_payments{${worker}}`]: '0x5' },
  },
  {
    alert: 'ReconciliationFails',
    series: { [`ledgerline_reconciliation_failures{${worker}}`]: '1x5' },
    fires: { at: '0m', summary: 'Payments were not compared with Stripe' },
    quiet: {
      [`ledgerline_reconciliation_failures{${worker}}`]: '0x5',
      [`ledgerline_reconciliation_age_seconds{${worker}}`]: '90000x5',
    },
  },
  {
    alert: 'ReconciliationFails',
    about: 'a paused schedule',
    series: { [`ledgerline_reconciliation_age_seconds{${worker}}`]: '130000x5' },
    fires: { at: '0m', summary: 'Payments were not compared with Stripe' },
  },
  {
    alert: 'PayoutsWait',
    series: { [`ledgerline_payout_age_seconds{${worker}}`]: '260000x5' },
    fires: { at: '0m', summary: 'A payout waits for 3d 0h 13m 20s for an operator' },
    quiet: { [`ledgerline_payout_age_seconds{${worker}}`]: '250000x5' },
  },
];
