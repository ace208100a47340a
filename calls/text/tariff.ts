import type { Model } from '../../db/catalog/catalog.ts';
import { parameterRulesOf, type ParameterRules } from '../../db/catalog/catalogFile.ts';
import { timesRates } from '../../db/money.ts';
import { derivedPrice } from '../../db/catalog/prices.ts';
import type { Json, TextPath } from '../../providers/provider.ts';
import { InvalidRequest, unsupportedParameter } from '../../base/errors/invalidRequest.ts';

const DEFAULT_RULES = parameterRulesOf([undefined]);
/** Multipliers have two decimals. */
const MULTIPLIER_PARTS = 100n;

/**
 * The model at the price of this request: unchanged, or with its rates multiplied for a requested service tier. Throws 400
 * `unsupported_parameter` for a parameter that would change the price or the model in a way that the catalogue does not offer.
 */
export function tariffOf(model: Model, path: TextPath, body: Json): Model {
  const rules = model.parameterRules ?? DEFAULT_RULES;
  let parts = MULTIPLIER_PARTS;
  for (const name in body) {
    if (rules.has(name)) parts = (parts * partsFor(name, { path, body, rules })) / MULTIPLIER_PARTS;
  }
  if (parts === MULTIPLIER_PARTS) return model;
  const rates = timesRates(model.rates, Number(parts) / Number(MULTIPLIER_PARTS));
  return { ...model, ...derivedPrice(model, rates) };
}

function partsFor(name: string, { path, body, rules }: { path: TextPath; body: Json; rules: ParameterRules }): bigint {
  // Only this route counts the sequences itself.
  if (name === 'best_of' && path === 'completions') return MULTIPLIER_PARTS;
  const rule = rules.get(name)!;
  if (rule === 'forward') return MULTIPLIER_PARTS;
  if (rule === 'refuse') throw unsupportedParameter(name);
  const value = body[name];
  if (typeof value === 'string' && Object.hasOwn(rule, value))
    return BigInt(Math.round(rule[value]! * Number(MULTIPLIER_PARTS)));
  const taken = Object.keys(rule).map((one) => `'${one}'`);
  throw new InvalidRequest(
    'unsupported_parameter',
    name,
    `Unsupported value of '${name}'. This model takes ${taken.join(', ') || 'none'}. Leave it out, or send one of these.`,
  );
}
