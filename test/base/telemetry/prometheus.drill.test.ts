import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { chatBody, chatPath } from '../../support/guardStage.ts';
import { findLimitsProgram } from '../../../ops/stack/limitsServer.ts';
import { makeFolder, type TestFolder } from '../../support/folder.ts';
import { programOf, readRules } from '../../support/monitoring.ts';
import { describeWhen } from '../../support/needs.ts';
import { readText } from '../../support/sources.ts';
import { until } from '../../support/until.ts';
import { setAlarmStage, type AlarmStage } from './alarmStage.ts';

const allRules = readRules().groups.flatMap((group) => group.rules);
const recorded = allRules.flatMap(({ record }) => record ?? []);
const dashboard = JSON.parse(readText('ops/deploy/monitoring/grafana/ledgerline.json')) as {
  panels: { title: string; targets?: { expr: string }[] }[];
};
const panels = dashboard.panels.flatMap(({ title, targets = [] }) => targets.map(({ expr }) => ({ title, expr })));
const needs = programOf('prometheus') && findLimitsProgram(process.env.PATH ?? '');

describeWhen(needs, 'Prometheus, Valkey or Redis')('Prometheus with the rules of ops/deploy/monitoring', () => {
  let stage: AlarmStage;
  let disk: TestFolder;

  beforeAll(async () => {
    disk = await makeFolder();
    stage = await setAlarmStage(15, disk.path);
  }, 600_000);
  afterAll(async () => {
    await stage?.close();
    await disk?.remove();
  });

  test('reads the API and both workers', async () => {
    const { query } = stage.prometheus;
    await until(async () => (await query('up == 1')).length === 3);
    const jobs = (await query('up == 1')).map(({ metric }) => metric.job!);
    expect(jobs.toSorted((one, other) => one.localeCompare(other))).toEqual([
      'ledgerline-api',
      'ledgerline-worker',
      'ledgerline-worker',
    ]);
  });

  test('knows each metric of the alerts and the dashboard, and evaluates each expression', async () => {
    await callUpstream();
    const named = [...allRules.map(({ alert, record, expr }) => ({ title: alert ?? record!, expr })), ...panels];
    const namesIn = (expr: string) => expr.match(/\b(?:ledgerline|nodejs|process)_[a-z0-9_]+/g) ?? [];
    const wanted = named.flatMap(({ title, expr }) =>
      namesIn(expr.replaceAll(/".*?"/g, '')).map((name) => ({ title, name: name.replace(/_(bucket|count)$/, '') })),
    );
    const missing = async () => {
      const known = await stage.prometheus.metadata();
      // A single process has no supervisor.
      const isThere = (name: string) => name in known || recorded.includes(name) || name === 'ledgerline_process_up';
      return wanted.filter(({ name }) => !isThere(name));
    };
    await until(async () => (await missing()).length === 0).catch(() => undefined);
    expect(await missing()).toEqual([]);
    for (const { title, expr } of named)
      expect([title, Array.isArray(await stage.prometheus.query(expr))]).toEqual([title, true]);
  });

  test('has figures for each panel of the dashboard', async () => {
    // Nothing fails, no run is open, and no payment was compared yet.
    const quiet = [
      'Failing requests',
      'Open runs',
      'Backups, archive and comparison with Stripe: age',
      'Alerts that fire',
    ];
    const empty = async () => {
      const results = panels.map(async ({ title, expr }) => ({
        title,
        count: (await stage.prometheus.query(expr)).length,
      }));
      return (await Promise.all(results)).filter(({ count }) => count === 0).map(({ title }) => title);
    };
    await until(async () => (await empty()).every((title) => quiet.includes(title))).catch(() => undefined);
    expect((await empty()).filter((title) => !quiet.includes(title))).toEqual([]);
  });

  async function callUpstream(): Promise<void> {
    const headers = { 'x-api-key': (await stage.account()).secret };
    await (await stage.ask(chatPath, { headers, body: chatBody({ stream: true }) })).text();
  }
});
