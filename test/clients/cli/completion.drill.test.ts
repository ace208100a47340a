import { afterAll, describe, expect } from '@jest/globals';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findProgram } from '../../../ops/stack/findProgram.ts';
import { testWhen } from '../../support/needs.ts';
import { ENTER, hasTerminals, openCli, type Terminal } from './builtCli.ts';

const cli = await openCli();
await writeFile(join(cli.home, 'quarter.csv'), 'a,b\n');
afterAll(() => cli.remove());

/** How each shell starts without the files of its user, and what its user writes into them. */
const SHELLS = [
  { name: 'bash', command: ['bash', '--norc', '-i'], setup: 'source <(ledgerline completion bash)' },
  {
    name: 'zsh',
    command: ['zsh', '-f', '-i'],
    setup: 'autoload -U compinit && compinit -u && source <(ledgerline completion zsh)',
  },
  { name: 'fish', command: ['fish', '--no-config', '-i'], setup: 'ledgerline completion fish | source' },
];

const TAB = '\t';

/** Types a line up to its TAB, waits for what the shell makes of it, and takes the line back. */
async function completes(terminal: Terminal, typed: string, completed: string): Promise<void> {
  terminal.write(`${typed}${TAB}`);
  await terminal.shows(completed);
  terminal.write('\x15');
}

describe.each(SHELLS)('$name', ({ name, command, setup }) => {
  const isHere = hasTerminals && findProgram([name], process.env.PATH ?? '') !== undefined;

  testWhen(isHere, `${name} and script`)(
    'completes commands, their commands, options and files, and runs nothing',
    async () => {
      const terminal = cli.shellTerminal(command);
      terminal.write(`${setup}; echo rea''dy${ENTER}`);
      await terminal.shows('ready');
      await completes(terminal, 'ledgerline bal', 'balance');
      await completes(terminal, 'ledgerline batch sub', 'submit');
      await completes(terminal, 'ledgerline usage --proj', '--project');
      await completes(terminal, 'ledgerline files upload qua', 'quarter.csv');
      await completes(terminal, 'ledgerline run "$(touch made)" --sess', '--session');
      expect(await readdir(cli.home)).not.toContain('made');
      terminal.kill();
    },
  );
});
