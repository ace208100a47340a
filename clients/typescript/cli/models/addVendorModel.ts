import { readFileSync } from 'node:fs';
import { Failure, usageError } from '../failure.ts';
import { say } from '../output.ts';
import { err } from '../terminal/colors.ts';
import { askChoice, askSecret, askText, askYesNo } from '../terminal/prompts.ts';
import { statusLine } from '../terminal/statusLine.ts';
import { canAsk } from '../terminal/terminal.ts';
import type { Added, Operator, Place, Prices, Probe, Starters, Vendor } from './starters.ts';
import { pricesText, probeText } from './texts.ts';

/** What the options say; the rest is asked for on a terminal. */
export interface VendorOptions {
  vendor?: string;
  address?: string;
  keyStdin?: boolean;
  margin?: number;
  price?: Prices;
  agents: boolean;
  yes?: boolean;
}

const OTHER = 'other';

/** Probes a vendor's model, shows its answer and its price, and sells it once that is accepted. */
export async function addVendorModel(
  operator: Operator,
  starters: Starters,
  options: VendorOptions & { model?: string | undefined },
): Promise<Added> {
  const place = await placeOf(starters, options);
  const probe = await probed(operator, place);
  if (!probe.ok) throw new Failure(probe.error ?? 'It did not answer.', { hint: 'Nothing was kept.' });
  say(`${err.green('✓')} ${probeText(probe)}`);
  if (!probe.calls_tools)
    say(err.yellow('It answered in words, not by the tool that it was offered: agents need tools.'));
  const price = probe.present_price ? undefined : await priceOf(probe, starters, options);
  if (probe.present_price)
    say(`It is sold already: ${pricesText(probe.present_price)}. Two operators decide on another price.`);
  else say(`Callers pay ${pricesText(price!)}.`);
  if (canAsk() && !options.yes && !(await askYesNo({ message: question(options.agents), initialValue: true })))
    throw new Failure('Nothing was kept.');
  return operator.add({ ...place, use_for_agents: options.agents, ...(price && { usd_per_million: price }) });
}

const question = (isForAgents: boolean): string => (isForAgents ? 'Sell it, and use it for agents?' : 'Sell it?');

async function probed(operator: Operator, place: Place): Promise<Probe> {
  const status = statusLine();
  status.set(`Trying ${place.model}`);
  try {
    return await operator.probe(place);
  } finally {
    status.clear();
  }
}

async function placeOf(starters: Starters, options: VendorOptions & { model?: string | undefined }): Promise<Place> {
  const { address } = options;
  const vendor = address === undefined ? await vendorOf(starters, options) : undefined;
  const base_url =
    address ?? (vendor ? undefined : await askText({ message: 'The address, as http://127.0.0.1:11434/v1' }));
  const where = vendor ? { vendor: vendor.id } : { base_url: base_url! };
  const api_key = await keyOf(starters, vendor, options);
  const model = options.model ?? (await askModel(vendor));
  return { ...where, model, ...(api_key && { api_key }) };
}

async function vendorOf({ vendors }: Starters, { vendor: id }: VendorOptions): Promise<Vendor | undefined> {
  const ids = vendors.map((one) => one.id).join(', ');
  if (id !== undefined) {
    const found = vendors.find((one) => one.id === id);
    if (!found) throw usageError(`There is no vendor ${id}: ${ids}.`, 'Or state an --address.');
    return found;
  }
  if (!canAsk()) throw usageError('State --vendor or --address.', `Vendors: ${ids}.`);
  const other = { value: OTHER, label: 'Another address', hint: 'vLLM, Ollama, …' };
  const chosen = await askChoice({
    message: 'The vendor',
    choices: [...vendors.map((one) => ({ value: one.id, label: one.name })), other],
  });
  return vendors.find((one) => one.id === chosen);
}

/** The key from stdin or a prompt: arguments are seen by every program of the machine. */
async function keyOf(
  { can_seal }: Starters,
  vendor: Vendor | undefined,
  { keyStdin }: VendorOptions,
): Promise<string | undefined> {
  if (keyStdin) return readFileSync(0, 'utf8').trim() || undefined;
  if (!canAsk()) {
    if (vendor && !vendor.has_key) throw usageError('The key of the vendor is read from stdin: --key-stdin.');
    return undefined;
  }
  if (!can_seal) throw new Failure('This installation cannot store keys.', { hint: 'Set CATALOG_SECRETS_KEY for it.' });
  if (vendor?.has_key) say(err.dim('Empty: the key that is stored for it.'));
  else if (vendor) say(err.dim(`A key: ${vendor.keys_at}`));
  return (await askSecret(vendor ? 'Its key' : 'Its key, empty where it needs none')) || undefined;
}

async function askModel(vendor: Vendor | undefined): Promise<string> {
  if (!canAsk()) throw usageError('State the model: `ledgerline models add <model>`.');
  const message = 'The model';
  if (!vendor) return askText({ message, validate: (text) => (text.trim() ? undefined : 'It needs a name.') });
  const listed = vendor.models.map(({ model, usd_per_million }) => ({
    value: model,
    hint: pricesText(usd_per_million),
  }));
  const chosen = await askChoice({ message, choices: [...listed, { value: OTHER, label: 'Another one' }] });
  return chosen === OTHER ? askText({ message }) : chosen;
}

/** The stated price, or the list price with a margin. Asks for what is missing, or says what to state. */
async function priceOf(
  { list_price: list }: Probe,
  { priced_at }: Starters,
  { price, margin, yes }: VendorOptions,
): Promise<Prices> {
  if (price) return price;
  if (!list) {
    if (!canAsk()) throw usageError('The list has no price of this model: state one, as --price 0.5/2.');
    const message = 'Its price for 1M tokens, input/output in US dollars';
    return pricesIn(await askText({ message, placeholder: '0.5/2', validate: whyNoPrice }))!;
  }
  say(`The vendor's list price on ${priced_at}: ${pricesText(list)}.`);
  if (margin !== undefined || yes || !canAsk()) return withMargin(list, margin ?? 0);
  const asked = { message: 'Your margin, in per cent', initialValue: '0', validate: whyNoMargin };
  return withMargin(list, Number(await askText(asked)));
}

const whyNoPrice = (text: string): string | undefined => (pricesIn(text) ? undefined : 'It is input/output, as 0.5/2.');

const whyNoMargin = (text: string): string | undefined =>
  Number(text) >= 0 && Number(text) <= 1000 ? undefined : 'It is a number from 0 to 1000.';

const withMargin = (list: Prices, percent: number): Prices =>
  Object.fromEntries(
    Object.entries(list).map(([unit, amount]) => [unit, Number((amount * (1 + percent / 100)).toFixed(6))]),
  );

/** `0.5/2` as the prices of a million tokens; undefined for anything else. */
export function pricesIn(text: string): Prices | undefined {
  const [, input, output] = /^\$?(\d+(?:\.\d{1,6})?)\/\$?(\d+(?:\.\d{1,6})?)$/.exec(text.trim()) ?? [];
  return input && output ? { input_tokens: Number(input), output_tokens: Number(output) } : undefined;
}
