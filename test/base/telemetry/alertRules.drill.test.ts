import { afterAll, expect, test } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { makeFolder } from '../../support/folder.ts';
import {
  ALERTMANAGER_PATH,
  faster,
  programOf,
  readRules,
  type RuleFile,
  RULES_PATH,
} from '../../support/monitoring.ts';
import { testWhen } from '../../support/needs.ts';
import type { AlertCase } from './alertCase.ts';
import { CASES } from './alertCases.ts';

const promtool = programOf('promtool');
const amtool = programOf('amtool');
const root = join(import.meta.dirname, '..', '..', '..');
const { groups } = readRules();
const rules = groups.flatMap((group) => group.rules);
const alerts = rules.flatMap(({ alert }) => alert ?? []);

const folder = await makeFolder();
afterAll(() => folder.remove());

const run = (program: string, ...args: string[]) => {
  const { status, stdout, stderr } = spawnSync(program, args, { cwd: root, encoding: 'utf8' });
  return { status, stdout, output: stdout + stderr };
};

test('each alert has a case in which it fires, and one in which it stays silent', () => {
  expect([...new Set(CASES.map(({ alert }) => alert))]).toEqual(alerts);
  const quiet = new Set(CASES.filter((one) => one.quiet).map(({ alert }) => alert));
  expect(alerts.filter((alert) => !quiet.has(alert))).toEqual(['Watchdog']);
});

testWhen(promtool, 'promtool')('promtool takes the rules and the configuration', () => {
  expect(run(promtool!, 'check', 'rules', RULES_PATH).output).toContain(`${rules.length} rules found`);
  for (const file of ['prometheus.yml', 'compose.yml'])
    expect(run(promtool!, 'check', 'config', `ops/deploy/monitoring/prometheus/${file}`)).toMatchObject({ status: 0 });
});

testWhen(promtool, 'promtool')('each alert fires when it must, with its summary, and not otherwise', async () => {
  const alerting = groups.filter(({ rules }) => rules.some(({ alert }) => alert !== undefined));
  const paths = await Promise.all(alerting.map(writeCases));
  const { status, output } = run(promtool!, 'test', 'rules', ...paths);
  expect(output.match(/SUCCESS/g)).toHaveLength(paths.length);
  expect(status).toBe(0);
});

testWhen(promtool, 'promtool')('on a faster clock the rules are as valid, and as many', async () => {
  const quick = faster(readRules(), 15);
  const path = join(folder.path, 'quick.yml');
  await writeFile(path, stringify(quick));
  expect(run(promtool!, 'check', 'rules', path).output).toContain(`${rules.length} rules found`);
  const ofQuick = quick.groups.flatMap((group) => group.rules);
  expect(ofQuick.find(({ alert }) => alert === 'ManyErrors')).toMatchObject({ for: '20000ms' });
  expect(JSON.stringify(ofQuick)).not.toMatch(/\[\d+[smhd]\]/);
});

testWhen(amtool, 'amtool')('amtool takes the routes; each severity goes where it belongs', () => {
  const path = join(ALERTMANAGER_PATH, 'alertmanager.yml');
  expect(run(amtool!, 'check-config', path)).toMatchObject({ status: 0 });
  const receiverOf = (...labels: string[]) =>
    run(amtool!, 'config', 'routes', 'test', `--config.file=${path}`, ...labels).stdout.trim();
  const severities = new Set(rules.map(({ labels }) => labels?.severity).filter((one) => one !== undefined));
  const receivers = [...severities].map((severity) => [severity, receiverOf(`severity=${severity}`)]);
  expect(Object.fromEntries(receivers)).toEqual({ heartbeat: 'heartbeat', page: 'pages', ticket: 'tickets' });
  expect(receiverOf('alertname=AnotherRule')).toBe('tickets');
});

/** The cases of a group's alerts, with its rules and the recorded series: promtool evaluates each rule of a file in each minute of a case. */
async function writeCases(group: RuleFile['groups'][number]): Promise<string> {
  const [cases, rulesOfGroup] = ['cases', 'rules'].map((name) => join(folder.path, `${group.name}-${name}.yml`));
  const needed = groups.filter((one) => one === group || one.rules.some(({ record }) => record !== undefined));
  await writeFile(rulesOfGroup!, stringify({ groups: needed }));
  // Otherwise promtool evaluates them in any order, and an alert may see the recorded series of the minute before.
  const order = needed.map(({ name }) => name);
  const tests = CASES.filter((one) => group.rules.some(({ alert }) => alert === one.alert)).flatMap(testsOf);
  await writeFile(cases!, stringify({ rule_files: [rulesOfGroup], group_eval_order: order, tests }));
  return cases!;
}

/** A case as tests of promtool: its series fire at a time and not before, and its quiet series do not. */
function testsOf({ alert, series, fires, notAt, quiet }: AlertCase): object[] {
  const { labels, annotations } = rules.find((rule) => rule.alert === alert)!;
  const expected = {
    exp_labels: { ...labels, ...fires.labels },
    exp_annotations: { ...annotations, summary: fires.summary },
  };
  const at = (time: string, exp_alerts: object[]) => ({ eval_time: time, alertname: alert, exp_alerts });
  const inputOf = (given: Record<string, string>) =>
    Object.entries(given).map(([name, values]) => ({ series: name, values }));
  const fired = [...(notAt === undefined ? [] : [at(notAt, [])]), at(fires.at, [expected])];
  return [
    { interval: '1m', input_series: inputOf(series), alert_rule_test: fired },
    ...(quiet ? [{ interval: '1m', input_series: inputOf(quiet), alert_rule_test: [at(fires.at, [])] }] : []),
  ];
}
