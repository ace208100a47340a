import { ShellCompDirective, type RootCommand } from '@bomb.sh/tab';
import tab from '@bomb.sh/tab/commander';
import type { Command } from 'commander';
import { print, withExamples } from './output.ts';

/** Adds `completion SHELL`, which prints a script for a shell, and the hidden command that the script asks. */
export function addCompletion(program: Command): void {
  const root = tab(program, { completionCommandName: 'completion' });
  completeFiles(root);
  const command = program.commands.find((each) => each.name() === 'completion')!;
  command
    .description('print the completion script of a shell')
    .action((shell: string) => (shell === 'bash' ? print(BASH) : root.setup(NAME, NAME, shell)));
  withExamples(command, [
    ['source <(ledgerline completion bash)', 'bash, in ~/.bashrc'],
    ['source <(ledgerline completion zsh)', 'zsh, in ~/.zshrc after compinit'],
    ['ledgerline completion fish > ~/.config/fish/completions/ledgerline.fish', 'fish'],
  ]);
}

const NAME = 'ledgerline';

/** The library's script for bash evaluates what was typed, `$(…)` too, and needs functions that not every bash has. */
const BASH = `_ledgerline() {
  COMPREPLY=()
  local value description
  while IFS=$'\\t' read -r value description; do
    [[ -z $value || $value == :* ]] || COMPREPLY+=("$value")
  done < <(ledgerline complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2> /dev/null)
}
complete -o default -F _ledgerline ledgerline`;

/** The library lets shells propose no files; where it has nothing to propose, they may. */
function completeFiles(root: RootCommand): void {
  const { ShellCompDirectiveDefault, ShellCompDirectiveNoFileComp } = ShellCompDirective;
  Object.defineProperty(root, 'directive', {
    get: () => (root.completions.length > 0 ? ShellCompDirectiveNoFileComp : ShellCompDirectiveDefault),
    set() {},
  });
}
