import { describe, expect, test } from '@jest/globals';
import { listGuides, renderGuide, slugOf, type Filling } from '../../../../api/docs/pages/guide.ts';
import { valuesOf } from '../../../../api/docs/pages/values.ts';
import { listFiles, readSources, readText } from '../../../support/sources.ts';

const FOLDER = 'docs/guides/';
const files = listFiles().filter(
  (path) => path.startsWith(FOLDER) && path.endsWith('.md') && !path.endsWith('README.md'),
);
const texts = files.map((path): [name: string, text: string] => [path.slice(FOLDER.length, -3), readText(path)]);
const textOf = (name: string) => texts.find(([own]) => own === name)![1];
const sources = readSources().filter(({ folder }) => folder !== 'test');
const values = valuesOf({ baseUrl: 'http://127.0.0.1:4000', models: [] });

/** Literal numbers in the guides, with the file and the statement that enforces each. */
const ENFORCED: [guide: string, text: string, file: string, statement: string][] = [
  ['agents', 'returns up to 8 MiB', 'resources.ts', 'BYTES_MAX = 8 * MIB'],
  ['agents', 'up to 256 KiB', 'task.ts', 'INLINE_BYTES_MAX = 256 * 1024'],
  ['files', 'of at most 5 MiB', 'fileTools.ts', 'PICTURE_BYTES_MAX = 5 * MIB'],
  ['files', 'at most 15 seconds', 'boundedProcess.ts', 'TIMEOUT_MS = 15_000'],
  ['files', 'of 192 MiB heap', 'boundedProcess.ts', 'HEAP_MIB_MAX = 192'],
  ['files', 'at most 64 MiB inflated', 'archive.ts', 'PART_BYTES_MAX = 64 * MIB'],
  ['files', '192 MiB for all', 'archive.ts', 'ALL_BYTES_MAX = 192 * MIB'],
  ['keys', 'within 12 hours of a sign-in', 'session.ts', 'RECENT_MS = 12 * 3_600_000'],
  ['realtime', 'at most 1 MiB', 'upgrade.ts', 'MESSAGE_BYTES_MAX = MIB'],
  ['speech-input', '20 seconds, at most 180', 'query.ts', '.max(180).default(20)'],
  ['speech-input', '120 characters for the first, then 160, 250, 290', 'textBuffer.ts', '[120, 160, 250, 290]'],
  ['runs', '(`run_code`) 30 seconds', 'limits.ts', 'PROGRAM_MS_MAX = 30_000'],
  ['webhooks', 'within 15 seconds', 'deliverWebhook.ts', 'TIMEOUT_MS = 15_000'],
  ['speech-input', 'within 10 seconds', 'session.ts', 'KEY_WAIT_MS = 10_000'],
  ['speech-input', 'at most 64 KiB', 'session.ts', 'KEY_FRAME_BYTES_MAX = 64 * KIB'],
  ['realtime', 'a turn 300 seconds', 'inputBuffer.ts', 'TURN_MS_MAX = 300_000'],
  ['realtime', 'settled every ten seconds', 'inputMeter.ts', 'WINDOW_MS = 10_000'],
  ['retries', 'answers above 1 MiB', 'keptCall.ts', 'WHOLE_BYTES_MAX = 1024 * 1024'],
  ['retries', 'streams above 8 MiB', 'keptCall.ts', 'BYTES_MAX = 8 * 1024 * 1024'],
  ['retries', 'more than 256 MiB', 'keptAnswers.ts', 'KEPT_OF_ONE_BYTES_MAX = 256 * MIB'],
  ['retries', 'produced for ten seconds', 'retryable.ts', 'WHOLE_GRACE_MS = 10_000'],
];

describe('the guides', () => {
  test('are all listed in the index, once, under their own titles', () => {
    const listed = listGuides();
    expect(listed.map(({ slug }) => slug).toSorted()).toEqual(texts.map(([name]) => name).toSorted());
    for (const { slug, title } of listed) expect(textOf(slug)).toMatch(new RegExp(`^# ${title}\n`));
  });

  test('have placeholders for their limits: none is unknown, and each is used', () => {
    const used = new Set(texts.flatMap(([, text]) => [...text.matchAll(/\{\{([\w-]+)\}\}/g)].map(([, name]) => name!)));
    expect(Object.keys(values).filter((name) => !used.has(name))).toEqual([]);
    const filling: Filling = { values, blocks: {}, operations: new Map() };
    expect(() => renderGuide('limits', filling)).toThrow('docs/guides/limits.md: unknown placeholder {{limits}}');
    expect(() => renderGuide('costs', filling)).not.toThrow();
  });

  test.each(ENFORCED)('say in %s what is enforced: %s', (guide, text, file, statement) => {
    expect(textOf(guide).replaceAll(/\s+/g, ' ')).toContain(text);
    const enforcing = sources.filter(({ path, text: code }) => path.endsWith(`/${file}`) && code.includes(statement));
    expect(enforcing).toHaveLength(1);
  });

  test('write sizes and periods of the code as placeholders', () => {
    const quantity = /(?<![\w.`$])\d[\d,]*\s(?:KiB|MiB|GiB|seconds|minutes|hours|days)\b/g;
    const written = texts.flatMap(([name, text]) =>
      [...withoutPrograms(text).matchAll(quantity)].map(([found]) => `${name}: ${found.replaceAll(/\s/g, ' ')}`),
    );
    const enforced = ENFORCED.flatMap(([guide, text]) =>
      [...text.matchAll(quantity)].map(([found]) => `${guide}: ${found}`),
    );
    expect(written.filter((one) => !enforced.includes(one))).toEqual([]);
  });

  test('name only codes of errors that the service has', () => {
    const code = sources.map(({ text }) => text).join('\n');
    const rows = [...textOf('errors').matchAll(/^\| (`[^|]+?) +\|/gm)].flatMap(([, cell]) =>
      [...cell!.matchAll(/`([a-z]+(?:_[a-z]+)+)`/g)].map(([, code]) => code!),
    );
    expect(rows.length).toBeGreaterThan(60);
    // A missing requirement of a plugin is named after its kind.
    const isMade = (name: string) =>
      /^plugin_(secret|sign_in)_missing$/.test(name) && code.includes('`${type}_missing`');
    expect(rows.filter((name) => !new RegExp(`\\b${name}\\b`).test(code) && !isMade(name))).toEqual([]);
  });
});

const withoutPrograms = (text: string) => text.replaceAll(/^```[^]*?^```/gm, '');

test.each([
  ['Stream an answer', 'stream-an-answer'],
  ['I get 400 or 422', 'i-get-400-or-422'],
  ['With OpenAI’s clients', 'with-openais-clients'],
])('the heading %s has the id %s', (heading, id) => {
  expect(slugOf(heading)).toBe(id);
});
