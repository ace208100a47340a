import { Command, InvalidArgumentError } from 'commander';
import type { Schemas } from '../../src/index.ts';
import { clientOf } from '../credentials/connection.ts';
import { Failure, usageError } from '../failure.ts';
import { number, usd } from '../format.ts';
import { addVendorModel, pricesIn, type VendorOptions } from '../models/addVendorModel.ts';
import { giveModel } from '../models/chooseModel.ts';
import { fetchEngine } from '../models/fetchEngine.ts';
import { operatorOf, type Added, type Prices } from '../models/starters.ts';
import { needsText, pricesText } from '../models/texts.ts';
import { printResult, say, withExamples } from '../output.ts';
import { out } from '../terminal/colors.ts';
import { tableOf } from '../terminal/table.ts';
import { canAsk } from '../terminal/terminal.ts';

type Model = Schemas['Model'];

const MILLION = 1_000_000;

const list = new Command('list')
  .description('the models that are sold, with their prices')
  .option('--kind <kind>', 'text, embedding, speech, transcription, conversion or realtime')
  .action(async ({ kind }: { kind?: string }, self: Command) => {
    const { api } = await clientOf(self);
    const { data } = await api.GET('/v1/models');
    const models = data.data.filter((model) => model.kind !== 'agent' && (kind === undefined || model.kind === kind));
    printResult(self, models, modelsText);
  });

const add = withExamples(
  new Command('add')
    .description('give agents a vendor’s model: tried by one call before its key is kept, then sold (for operators)')
    .argument('[model]', 'its name at the vendor')
    .option('--vendor <name>', 'openai, anthropic, openrouter, mistral, groq or gemini')
    .option('--address <url>', 'any address behind OpenAI’s protocol instead, as of vLLM or Ollama')
    .option('--key-stdin', 'read the vendor’s key from stdin; it is asked for otherwise')
    .option('--margin <percent>', 'what is added to the vendor’s list price', parseMargin)
    .option('--price <input/output>', 'instead: US dollars for 1M tokens, as 0.5/2', parsePrices)
    .option('--no-agents', 'sell it, and leave the model of agents as it is')
    .option('-y, --yes', 'accept the price without being asked')
    .action(async (model: string | undefined, options: VendorOptions, self: Command) => {
      if (options.price && options.margin !== undefined) throw usageError('State --price or --margin, and not both.');
      if (options.vendor && options.address) throw usageError('State --vendor or --address, and not both.');
      const operator = operatorOf(await clientOf(self), self);
      const starters = await operator.starters();
      const isOpen = !model && !options.vendor && !options.address && canAsk();
      if (isOpen && starters.agents.is_rehearsed && starters.engines.length > 0) await giveModel(operator, starters);
      else printResult(self, await addVendorModel(operator, starters, { ...options, model }), addedText);
    }),
  [
    ['ledgerline models add'],
    ['ledgerline models add gpt-4.1-mini --vendor openai --margin 20 --key-stdin < key.txt', 'in a script'],
    ['ledgerline models add qwen3:8b --address http://127.0.0.1:11434/v1 --price 0.05/0.2'],
  ],
);

const fetch = new Command('fetch')
  .description('fetch a language model to the machine of the installation (for operators)')
  .argument('[name]', 'the only one when left out')
  .option('--no-agents', 'leave the model of agents as it is')
  .action(async (name: string | undefined, { agents }: { agents: boolean }, self: Command) => {
    const operator = operatorOf(await clientOf(self), self);
    const { engines } = await operator.starters();
    const engine = name === undefined ? engines[0] : engines.find((one) => one.name === name);
    if (!engine) throw new Failure(name ? `There is no model ${name} to fetch.` : 'There is no model to fetch here.');
    say(needsText(engine));
    const fetched = await fetchEngine(operator, engine, agents);
    printResult(
      self,
      fetched,
      () => `${out.green('✓')} ${fetched.title} answers${agents ? ', and agents use it' : ''}.`,
    );
  });

const use = new Command('use')
  .description('choose the model of agents that name none (for operators)')
  .argument('<model>', 'a text model that is sold')
  .action(async (model: string, _options, self: Command) => {
    const chosen = await operatorOf(await clientOf(self), self).use(model);
    printResult(self, chosen, () => `${out.green('✓')} Agents use ${chosen.model}.`);
  });

export const models = new Command('models')
  .description('list models, and give agents one')
  .addCommand(list, { isDefault: true })
  .addCommand(add)
  .addCommand(fetch)
  .addCommand(use);

function modelsText(found: Model[]): string {
  return tableOf(
    [
      { title: 'id', text: ({ id }) => id },
      { title: 'kind', text: ({ kind }) => kind },
      { title: 'context', align: 'right', text: ({ context_length: tokens }) => (tokens ? number(tokens) : null) },
      { title: 'input, 1M', align: 'right', text: ({ pricing }) => tokenPrice(pricing, 'prompt') },
      { title: 'output, 1M', align: 'right', text: ({ pricing }) => tokenPrice(pricing, 'completion') },
      { title: 'sound', optional: true, text: ({ pricing }) => soundPrice(pricing) },
      { title: 'name', optional: true, shrinks: true, text: ({ name }) => name },
    ],
    found,
  );
}

type Pricing = Model['pricing'];
type TokenPrice = 'prompt' | 'completion' | 'input_cache_read' | 'input_cache_write';

/** Units of sound, as a person reads their price. */
const SOUND_UNITS: Record<Exclude<keyof Pricing, TokenPrice | 'request' | 'batch'>, [count: number, text: string]> = {
  input_character: [MILLION, 'for 1M characters'],
  output_character: [MILLION, 'for 1M spoken characters'],
  audio_minute: [1, 'a minute'],
  audio_second: [1, 'a second'],
};
const SOUND_PRICES = Object.entries(SOUND_UNITS) as [keyof typeof SOUND_UNITS, [number, string]][];

/** Of a million tokens; none for models that are sold by sound and not by these tokens. */
function tokenPrice(pricing: Pricing, unit: 'prompt' | 'completion'): string | null {
  const isOfSound = SOUND_PRICES.some(([name]) => pricing[name] !== undefined);
  const price = pricing[unit];
  return price === undefined || (isOfSound && Number(price) === 0) ? null : priceOf(price, MILLION);
}

function soundPrice(pricing: Pricing): string | null {
  const prices = SOUND_PRICES.flatMap(([name, [count, text]]) => {
    const price = pricing[name];
    return price === undefined ? [] : [`${priceOf(price, count)} ${text}`];
  });
  return prices.length === 0 ? null : prices.join(', ');
}

const priceOf = (price: string, count: number): string => usd(Number((Number(price) * count).toFixed(6)));

function addedText({ model, agents }: Added): string {
  const price = model.price ? `: ${pricesText(model.price.usd_per_million)}` : '';
  const ofAgents = agents.model === model.id ? ', and agents use it' : '';
  return `${out.green('✓')} ${model.id} is sold${price}${ofAgents}.`;
}

function parseMargin(text: string): number {
  const percent = Number(text.replace(/%$/, ''));
  if (text.trim() === '' || !(percent >= 0 && percent <= 1000))
    throw new InvalidArgumentError('It is a number of per cent, from 0 to 1000.');
  return percent;
}

function parsePrices(text: string): Prices {
  const prices = pricesIn(text);
  if (!prices) throw new InvalidArgumentError('It is input/output in US dollars for a million tokens, as 0.5/2.');
  return prices;
}
