import { expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { readText } from '../../support/sources.ts';

interface Rules {
  groups: {
    rules: { alert?: string; labels: { severity: string }; annotations: { summary: string; runbook: string } }[];
  }[];
}

const { groups } = parse(readText('ops/deploy/monitoring/prometheus/alerts.yml')) as Rules;
const rules = groups
  .flatMap((group) => group.rules)
  .flatMap(({ alert, ...rule }) => (alert ? [{ alert, ...rule }] : []));
const headings = [...readText('docs/operate/runbooks/alerts.md').matchAll(/^## (\w+)$/gm)].map(([, name]) => name);

test('each alert has a section in the runbook, and each section an alert', () => {
  expect(headings).toEqual(rules.map(({ alert }) => alert));
  for (const { alert, annotations } of rules)
    expect(annotations.runbook).toBe(`docs/operate/runbooks/alerts.md#${alert.toLowerCase()}`);
});

test('each section of an alert says what to do', () => {
  const sections = readText('docs/operate/runbooks/alerts.md').split(/^## /m).slice(1);
  const silent = sections.filter((text) => !/^1\. |Start |treat it as|Look at|other alerts say/m.test(text));
  expect(silent.map((text) => text.split('\n')[0])).toEqual([]);
  const endless = sections.filter((text) => !/^\*\*Ends:\*\* \S/m.test(text));
  expect(endless.map((text) => text.split('\n')[0])).toEqual([]);
});

test('the runbook of faults has a section for each fault of the drills', () => {
  const faults = [...readText('docs/operate/runbooks/faults.md').matchAll(/^## F(\d+): /gm)].map(([, number]) =>
    Number(number),
  );
  expect(faults).toEqual(Array.from({ length: 19 }, (_, at) => at + 1));
});

test('each fault says by which alerts it is seen, and what is left to do', () => {
  const sections = readText('docs/operate/runbooks/faults.md').split(/^## /m).slice(1);
  expect(sections.length).toBeGreaterThan(0);
  for (const text of sections) {
    const [, seen, left] = /^- \*\*Seen as:\*\* (.+)\n- \*\*To do:\*\* (.+)$/m.exec(text) ?? [];
    const named = [...(seen ?? '').matchAll(/`([A-Z][A-Za-z]+)`/g)].map(([, name]) => name!);
    const unknown = named.filter((name) => !headings.includes(name) && name !== 'Nondeterminism');
    expect({ fault: text.split(':')[0], seen, left, unknown }).toMatchObject({
      seen: expect.any(String),
      left: expect.any(String),
      unknown: [],
    });
  }
});
