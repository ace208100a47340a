import { readdirSync, readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { dirname, join, normalize, relative } from 'node:path';

const root = join(import.meta.dirname, '..', '..');
const skipped = new Set(['node_modules', '.git', '.data', '.venv', 'coverage', 'dist', 'openapi.d.ts', 'generated']);
const importPattern = /^\s*(?:import|export)\s+(type\s+)?(?:[^'";]*?\sfrom\s+)?'([^']+)'|\bimport\(\s*'([^']+)'/gm;

/** An import: of our own files, `target` is a path from the root; of others, a package name. */
export interface Import {
  target: string;
  isOwn: boolean;
  isType: boolean;
  /** Loaded on demand, not with the file. */
  isLate: boolean;
}

/** A file that counts as source, with its path from the root. */
export interface Source {
  path: string;
  folder: string;
  text: string;
  imports: Import[];
}

/** Every file of the repository that is neither installed nor generated, as paths from the root. */
export function listFiles(folder = root): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (skipped.has(entry.name)) return [];
    return entry.isDirectory() ? listFiles(path) : [relative(root, path)];
  });
}

export const readText = (path: string): string => readFileSync(join(root, path), 'utf8');

/** Every TypeScript file, except for the generated parts of migrations. */
export function readSources(): Source[] {
  return listFiles()
    .filter((path) => /\.tsx?$/.test(path) && path.includes('/'))
    .map((path) => {
      const text = readText(path);
      return { path, folder: path.split('/')[0]!, text, imports: importsOf(path, text) };
    });
}

/** A file's imports, in order. Built-in modules are omitted. */
export function importsOf(path: string, text: string): Import[] {
  const code = withoutComments(text);
  return [...code.matchAll(importPattern)]
    .map(([, type, from, late]) => ({ specifier: (from ?? late)!, isType: Boolean(type), isLate: from === undefined }))
    .filter(({ specifier }) => !specifier.startsWith('node:'))
    .map(({ specifier, isType, isLate }) => {
      const isOwn = specifier.startsWith('.');
      const target = isOwn ? normalize(join(dirname(path), specifier)) : packageOf(specifier);
      return { target, isOwn, isType, isLate };
    });
}

function packageOf(specifier: string): string {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
}

function withoutComments(text: string): string {
  return text.replace(/^\s*\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '');
}

/** A function and its number of lines; lines of nested functions count only for those. */
export interface Measured {
  name: string;
  ownLines: number;
}

/** Finds functions by the formatter's layout: they close at the indentation at which they open. */
export function functionsOf(text: string, path = ''): Measured[] {
  // Node strips types only from plain TypeScript.
  const lines = (path.endsWith('.tsx') ? text : stripTypeScriptTypes(text)).split('\n');
  const found = lines.flatMap((line, start) => {
    const opened = OPENED.exec(line) ?? OPENED_OVER_LINES.exec(line);
    if (!opened || /^\s*(?:if|for|while|switch|return|else|\}|test|describe)\b/.test(line)) return [];
    const [, indent, ...names] = opened;
    const first = OPENED.test(line) ? start : lines.findIndex((later, at) => at > start && /^[\s}]*\)/.test(later));
    if (!/\{\s*$/.test(lines[first] ?? '')) return [];
    const length = lines.slice(first + 1).findIndex((later) => later.startsWith(`${indent}}`));
    return length < 0 ? [] : [{ name: names.find(Boolean)!, start, end: first + length + 2 }];
  });
  return found.map(({ name, start, end }) => {
    const inner = found.filter((other) => other.start > start && other.end <= end);
    const outermost = inner.filter((one) => !inner.some((other) => other.start < one.start && other.end >= one.end));
    return { name, ownLines: end - start - outermost.reduce((sum, one) => sum + one.end - one.start, 0) };
  });
}

const OPENED = /^(\s*).*?(?:function\*?\s+(\w+)|(\w+)\s*[:=]\s*(?:async\s*)?\([^)]*\)\s*=>|(\w+)\(.*\)).*\s\{\s*$/;

// A function whose parameters are on separate lines.
const OPENED_OVER_LINES = /^(\s*).*?(?:function\*?\s+(\w+)|(\w+)\s*[:=]\s*(?:async\s*)?)\((?:\{|\w+)?\s*$/;
