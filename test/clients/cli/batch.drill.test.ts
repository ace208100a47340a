import { afterAll, expect, test } from '@jest/globals';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { chatLine, setBatchStage, slowLines, type ResultLine } from '../../support/batchStage.ts';
import { testWhen } from '../../support/needs.ts';
import { CTRL_C, hasTerminals, openCli } from './builtCli.ts';

const stage = await setBatchStage();
await stage.startWorker();
const { secret } = await stage.account({ scopes: ['llm', 'batch'] });
const cli = await openCli({ LEDGERLINE_BASE_URL: stage.url, LEDGERLINE_API_KEY: secret });
afterAll(async () => {
  await cli.remove();
  await stage.close();
});

const writeLines = (name: string, lines: object[]) =>
  writeFile(join(cli.home, name), lines.map((line) => `${JSON.stringify(line)}\n`).join(''));

test('a file is submitted, waited for and fetched in one line of a script', async () => {
  await writeLines('calls.jsonl', [chatLine('one', 'Hello.'), chatLine('two', 'Rain.')]);
  const script = 'ledgerline batch fetch $(ledgerline batch submit calls.jsonl --wait) --out answers.jsonl';
  const { code, stdout, stderr } = await cli.shell(script);
  expect([code, stdout]).toEqual([0, 'answers.jsonl\n']);
  expect(stderr).toMatch(/completed, 2 of 2 lines, \$0\.\d+/);
  const answers = (await readFile(join(cli.home, 'answers.jsonl'), 'utf8')).trim().split('\n');
  expect(answers.map((line) => (JSON.parse(line) as ResultLine).custom_id)).toEqual(['one', 'two']);
  expect((await cli.run(['batch', 'list'])).stdout).toContain('completed');
});

test('a file with errors ends with 1, and names its lines', async () => {
  await writeLines('wrong.jsonl', [
    chatLine('one', 'Hello.'),
    { custom_id: 'two', method: 'POST', url: '/v1/chat/completions' },
  ]);
  const { code, stderr } = await cli.run(['batch', 'submit', 'wrong.jsonl', '--wait']);
  expect([code, stderr]).toEqual([1, expect.stringMatching(/is failed\.\n +line 2: /)]);
  await writeFile(join(cli.home, 'none.jsonl'), 'not JSON\n');
  expect((await cli.run(['batch', 'submit', 'none.jsonl'])).code).toBe(2);
  expect((await cli.run(['batch', 'submit', 'missing.jsonl'])).code).toBe(2);
});

testWhen(hasTerminals, 'script of util-linux')(
  'a bar grows on a terminal, and Ctrl-C leaves the batch to go on',
  async () => {
    await writeLines('slow.jsonl', slowLines(200));
    const { stdout } = await cli.run(['batch', 'submit', 'slow.jsonl']);
    const id = stdout.trim();
    expect((await cli.run(['batch', 'fetch', id])).code).toBe(1);
    const terminal = cli.terminal(['batch', 'wait', id]);
    await terminal.shows('━');
    await terminal.shows('of 200 lines');
    terminal.write(CTRL_C);
    expect(await terminal.ended()).toBe(130);
    expect(terminal.plain()).toContain(`ledgerline batch wait ${id}`);
    const cancelled = await cli.run(['batch', 'cancel', id]);
    expect([cancelled.code, cancelled.stdout]).toEqual([0, `${id}\n`]);
    const ended = await cli.run(['batch', 'wait', id]);
    expect([ended.code, ended.stderr]).toEqual([1, expect.stringContaining('is cancelled')]);
    expect(ended.stderr).not.toContain('━');
  },
);
