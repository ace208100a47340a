import { basename, join, relative, resolve } from 'node:path';
import { Command, Option } from 'commander';
import type { Ledgerline } from '../../src/index.ts';
import { filesOf, TEMPLATES, type NewAgent, type TemplateName } from '../agentFolder/templates.ts';
import { writeFolder } from '../agentFolder/writeFolder.ts';
import { clientOf, connectionOf } from '../credentials/connection.ts';
import { config } from '../config.ts';
import { usageError } from '../failure.ts';
import type { GlobalOptions } from '../globalOptions.ts';
import { printResult, withExamples } from '../output.ts';
import { proposeNamespace, slugOf, whyNoSegment } from '../publishing/names.ts';
import { out } from '../terminal/colors.ts';
import { askChoice, askText } from '../terminal/prompts.ts';
import { canAsk } from '../terminal/terminal.ts';

/** Offers the models of an installation; resolves with the id of one, or with null for the operator's choice. */
export type ChooseModel = (command: Command) => Promise<string | null>;

interface Options {
  template?: TemplateName;
  name?: string;
  namespace?: string;
  slug?: string;
  model?: string | true;
}

const NAMES = Object.keys(TEMPLATES) as TemplateName[];

/** `ledgerline init`. Without a way to choose a model `--model` takes the id of one. */
export const createInit = (chooseModel?: ChooseModel): Command =>
  withExamples(
    new Command('init')
      .description('begin an agent in a folder')
      .argument('[folder]', 'where its files go', '.')
      .addOption(new Option('--template <name>', templateText()).choices(NAMES))
      .option('--name <text>', 'its name for people')
      .option('--namespace <name>', 'the first part of its name for callers: acme/poet')
      .option('--slug <name>', 'the second part; that of the folder when left out')
      .option(chooseModel ? '--model [id]' : '--model <id>', 'its text model; the operator’s choice when left out')
      .action(async (folder: string, options: Options, self: Command) => {
        const { template, ...agent } = await settle(folder, options, self, chooseModel);
        const files = filesOf(template, agent);
        await writeFolder(folder, files, { hint: 'Name an empty folder: `ledgerline init poet`.' });
        const made = { object: 'agent_folder', folder: resolve(folder), template, ...agent, files: Object.keys(files) };
        printResult(self, made, () => nextSteps(folder, files));
      }),
    [['ledgerline init poet'], ['ledgerline init triage --template typed --namespace acme --model gpt-4.1-mini']],
  );

const templateText = (): string =>
  `what it begins as (${NAMES.map((name) => `${name}: ${TEMPLATES[name].about}`).join('; ')})`;

/** What the options say, what the person answers on a terminal, and otherwise what is usual. */
async function settle(
  folder: string,
  options: Options,
  self: Command,
  chooseModel: ChooseModel | undefined,
): Promise<NewAgent & { template: TemplateName }> {
  const isAsking = canAsk();
  const base = basename(resolve(folder));
  const client = await clientOf(self).catch(() => undefined);
  const name = options.name ?? (await ask(isAsking, 'The name of the agent', titleOf(base)));
  const slug = valid('--slug', options.slug ?? (slugOf(base) || slugOf(name)));
  const proposed = options.namespace ?? (await proposeNamespace(client));
  const namespace =
    options.namespace ??
    (await ask(isAsking, `Callers name it <namespace>/${slug}. The namespace`, proposed, whyNoSegment));
  const template = options.template ?? (isAsking ? await askTemplate() : 'text');
  const model = options.model === true ? await chooseModel!(self) : (options.model ?? null);
  return { template, name, slug, namespace: valid('--namespace', namespace), model, schema: schemaOf(self, client) };
}

async function ask(isAsking: boolean, message: string, usual: string, why = whyEmpty): Promise<string> {
  if (!isAsking) return usual;
  return (await askText({ message, initialValue: usual, validate: why })).trim();
}

const whyEmpty = (text: string): string | undefined => (text.trim() ? undefined : 'It needs a name.');

const askTemplate = async (): Promise<TemplateName> =>
  (await askChoice({
    message: 'It begins as an agent that',
    choices: NAMES.map((name) => ({ value: name, label: TEMPLATES[name].about, hint: name })),
  })) as TemplateName;

function valid(option: string, value: string): string {
  const why = whyNoSegment(value);
  if (why) throw usageError(`${option} ${value || '""'}: ${why}`);
  return value;
}

/** `rain-poet` as `Rain poet`. */
const titleOf = (base: string): string => {
  const words = base.replaceAll(/[-_.]+/g, ' ').trim() || 'Agent';
  return words[0]!.toUpperCase() + words.slice(1);
};

const schemaOf = (self: Command, client: Ledgerline | undefined): string | null =>
  client ? `${connectionOf(self.optsWithGlobals<GlobalOptions>()).baseUrl}/schemas/agent.json` : null;

function nextSteps(folder: string, files: object): string {
  const path = relative('.', folder);
  return [
    `${out.green('✓')} Made ${Object.keys(files)
      .map((name) => join(path, name))
      .join(', ')}.`,
    '',
    'Next:',
    ...(path === '' ? [] : [`  cd ${path}`]),
    `  ${config.program} publish --private   ${out.dim('# yours alone, at once')}`,
    `  ${config.program} dev                 ${out.dim('# tries it at each save')}`,
  ].join('\n');
}
