import { afterAll, expect, test } from '@jest/globals';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { dirname } from 'node:path';
import { setPublisherStage } from '../../api/publisher/publisherStage.ts';
import { makeFolder } from '../../support/folder.ts';
import { readText } from '../../support/sources.ts';
import { buildForTests } from '../packages/buildForTests.ts';

// The commands of the guide, in an empty folder and an empty home, with a key in the place of the browser.
await buildForTests();
const stage = await setPublisherStage();
const folder = await makeFolder();
afterAll(async () => {
  await folder.remove();
  await stage.close();
});

function commandsOfGuide(): string[] {
  const [, section] = readText('docs/guides/publishing.md').split('## From an empty folder to an agent that answers\n');
  const [, block] = /```sh\n([^`]*)```/.exec(section!)!;
  return block!.trim().replaceAll('{{baseUrl}}', stage.url).split('\n');
}

/** Runs a line in a shell. Returns what it printed; throws it if the line fails. */
async function run(line: string, input: string): Promise<string> {
  const own = Object.entries(process.env).filter(([name]) => !/^(npm_|node_options$|ledgerline_)/i.test(name));
  const env = { ...Object.fromEntries(own), HOME: folder.path, XDG_CONFIG_HOME: `${folder.path}/.config` };
  const path = `${dirname(process.execPath)}:${process.env.PATH}`;
  const child = spawn('sh', ['-c', line], { cwd: folder.path, env: { ...env, PATH: path } });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (output += text));
  child.stdin.end(input);
  const [status] = (await once(child, 'close')) as [number | null];
  if (status !== 0) throw new Error(`${line}:\n${output}`);
  return output;
}

test('five commands lead from an empty folder to a private agent that answers, within three minutes', async () => {
  const commands = commandsOfGuide();
  expect(commands).toHaveLength(5);
  stage.upstream.script({ text: 'Rain drums on the tin.' });
  const printed: string[] = [];
  for (const line of commands)
    printed.push(await run(line.includes(' login ') ? `${line} --key` : line, `${stage.publisher.secret}\n`));
  expect(printed.at(-1)).toContain('Rain drums on the tin.');
});
