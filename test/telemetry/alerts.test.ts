import { expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { readText } from '../support/sources.ts';

interface Rules {
  groups: {
    rules: { alert: string; labels: { severity: string }; annotations: { summary: string; runbook: string } }[];
  }[];
}

const { groups } = parse(readText('deploy/monitoring/prometheus/alerts.yml')) as Rules;
const rules = groups.flatMap((group) => group.rules);
const headings = [...readText('docs/runbooks/alerts.md').matchAll(/^## (\w+)$/gm)].map(([, name]) => name);

test('each alert has a section in the runbook, and each section an alert', () => {
  expect(headings).toEqual(rules.map(({ alert }) => alert));
  for (const { alert, annotations } of rules)
    expect(annotations.runbook).toBe(`docs/runbooks/alerts.md#${alert.toLowerCase()}`);
});

test('the runbook of faults has a section for each fault of the drills', () => {
  const faults = [...readText('docs/runbooks/faults.md').matchAll(/^## F(\d+): /gm)].map(([, number]) =>
    Number(number),
  );
  expect(faults).toEqual(Array.from({ length: 19 }, (_, at) => at + 1));
});
