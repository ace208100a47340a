import type { Command } from 'commander';
import type { Ledgerline } from '../../src/index.ts';
import { clientOf } from '../credentials/connection.ts';
import { usageError } from '../failure.ts';
import { say } from '../output.ts';
import { err } from '../terminal/colors.ts';
import { askChoice } from '../terminal/prompts.ts';
import { canAsk } from '../terminal/terminal.ts';
import { addVendorModel } from './addVendorModel.ts';
import { fetchEngine } from './fetchEngine.ts';
import { NotAnOperator, operatorOf, type Operator, type Starters } from './starters.ts';
import { needsText } from './texts.ts';

const OPERATORS_CHOICE = '';
const VENDOR = 'vendor';
const NONE = 'none';

/**
 * Offers the models of an installation for a new agent; null is the operator's choice. While agents answer by rules, an operator is offered
 * to give them a model first; others are told who can.
 */
export async function chooseModel(command: Command): Promise<string | null> {
  if (!canAsk()) throw usageError('--model needs the id of a model where nobody can be asked.');
  const client = await clientOf(command);
  const operator = operatorOf(client, command);
  const starters = await operator.starters().catch((error: unknown) => {
    if (!(error instanceof NotAnOperator)) throw error;
    say(err.dim(`Where agents answer by rules: ${error.hint}`));
    return undefined;
  });
  if (starters?.agents.is_rehearsed && (await giveModel(operator, starters))) return null;
  return choiceOf(client, starters?.agents.model);
}

/** Gives agents their first real model; false where the operator leaves them to the rules. */
export async function giveModel(operator: Operator, starters: Starters): Promise<boolean> {
  say('Agents answer by rules here, not by a language model.');
  const engines = starters.engines.filter(({ state }) => state !== 'unreachable');
  for (const engine of engines) say(err.dim(`  ${needsText(engine)}`));
  const chosen = await askChoice({
    message: 'Give them a model',
    choices: [
      { value: VENDOR, label: 'A vendor’s model, by its key' },
      ...engines.map(({ name, title }) => ({ value: name, label: `${title}, on the machine of the installation` })),
      { value: NONE, label: 'Leave it as it is' },
    ],
  });
  if (chosen === NONE) return false;
  const engine = engines.find(({ name }) => name === chosen);
  if (engine) await fetchEngine(operator, engine, true);
  else await addVendorModel(operator, starters, { agents: true });
  say(`${err.green('✓')} Agents use it now.`);
  return true;
}

async function choiceOf({ api }: Ledgerline, standard: string | undefined): Promise<string | null> {
  const { data } = await api.GET('/v1/models');
  const texts = data.data.filter(({ kind }) => kind === 'text');
  const chosen = await askChoice({
    message: 'The model of the agent',
    choices: [
      { value: OPERATORS_CHOICE, label: 'The operator’s choice', ...(standard && { hint: `now ${standard}` }) },
      ...texts.map(({ id, name }) => ({ value: id, hint: name })),
    ],
  });
  return chosen === OPERATORS_CHOICE ? null : chosen;
}
