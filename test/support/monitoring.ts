import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { readText } from './sources.ts';

export const RULES_PATH = 'ops/deploy/monitoring/prometheus/alerts.yml';
export const ALERTMANAGER_PATH = 'ops/deploy/monitoring/alertmanager';

/** A rule of Prometheus: an alert, or a recorded series. */
export interface Rule {
  alert?: string;
  record?: string;
  expr: string;
  for?: string;
  keep_firing_for?: string;
  labels?: { severity?: string };
  annotations?: { summary: string; runbook: string };
}

export interface RuleFile {
  groups: { name: string; rules: Rule[] }[];
}

export const readRules = (): RuleFile => parse(readText(RULES_PATH)) as RuleFile;

/** The path of a program, by the first of its names that is there; undefined: not on this machine. */
export const programOf = (...names: string[]): string | undefined =>
  (process.env.PATH ?? '')
    .split(':')
    .flatMap((folder) => names.map((name) => join(folder, name)))
    .find((path) => existsSync(path));

const SECONDS = { s: 1, m: 60, h: 3600, d: 86_400 };

/**
 * The same rules on a faster clock: each duration of an expression, of `for` and of `keep_firing_for` is divided by the factor, and nothing else is changed. A
 * Prometheus that also scrapes and evaluates that much more often treats them as it treats the originals.
 */
export function faster({ groups }: RuleFile, factor: number): RuleFile {
  const scaled = (text: string) =>
    text.replace(/^(\d+)([smhd])$/, (_, count: string, unit: keyof typeof SECONDS) => {
      const ms = (Number(count) * SECONDS[unit] * 1000) / factor;
      return `${Math.max(1, Math.round(ms))}ms`;
    });
  const inExpression = (expr: string) => expr.replace(/\[(\w+)\]/g, (_, range: string) => `[${scaled(range)}]`);
  return {
    groups: groups.map((group) => ({
      ...group,
      rules: group.rules.map((rule) => ({
        ...rule,
        expr: inExpression(rule.expr),
        ...(rule.for !== undefined && { for: scaled(rule.for) }),
        ...(rule.keep_firing_for !== undefined && { keep_firing_for: scaled(rule.keep_firing_for) }),
      })),
    })),
  };
}
