import { ShellCompDirective, type RootCommand } from '@bomb.sh/tab';
import tab from '@bomb.sh/tab/commander';
import type { Command } from 'commander';
import { withExamples } from './output.ts';

/** Adds `completion SHELL`, which prints a script for a shell, and the hidden command that the script asks. */
export function addCompletion(program: Command): void {
  completeFiles(tab(program, { completionCommandName: 'completion' }));
  const command = program.commands.find((each) => each.name() === 'completion')!;
  withExamples(command.description('print the completion script of a shell'), [
    ['source <(ledgerline completion bash)', 'bash, in ~/.bashrc'],
    ['source <(ledgerline completion zsh)', 'zsh, in ~/.zshrc after compinit'],
    ['ledgerline completion fish > ~/.config/fish/completions/ledgerline.fish', 'fish'],
  ]);
}

/** The library lets shells propose no files; where it has nothing to propose, they may. */
function completeFiles(root: RootCommand): void {
  const { ShellCompDirectiveDefault, ShellCompDirectiveNoFileComp } = ShellCompDirective;
  Object.defineProperty(root, 'directive', {
    get: () => (root.completions.length > 0 ? ShellCompDirectiveNoFileComp : ShellCompDirectiveDefault),
    set() {},
  });
}
