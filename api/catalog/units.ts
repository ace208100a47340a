import { BILLED_UNITS, OPTIONAL_UNITS, type ModelKind } from '../../db/catalog/catalogFile.ts';
import { picosPerUnitOf, type Rates } from '../../db/money.ts';
import { validationError } from '../../base/errors/requestErrors.ts';

const PICOS_PER_USD_OF_MILLION = 1_000_000;

/** What a model of a kind is billed by. */
export const unitsOf = (kind: ModelKind): { unit: string; is_required: boolean }[] => [
  ...BILLED_UNITS[kind].map((unit) => ({ unit, is_required: true })),
  ...(OPTIONAL_UNITS[kind] ?? []).map((unit) => ({ unit, is_required: false })),
];

/** The rates of a stated price. Throws 422 for a unit that is missing, or that a model of its kind is not billed by. */
export function ratesOf(kind: ModelKind, usdPerMillion: Record<string, number>): Rates {
  const units = unitsOf(kind);
  const issueOf = (unit: string, msg: string) => ({ loc: ['body', 'usd_per_million', unit], msg, type: 'value_error' });
  const missing = units.filter(({ unit, is_required }) => is_required && usdPerMillion[unit] === undefined);
  const foreign = Object.keys(usdPerMillion).filter((name) => !units.some(({ unit }) => unit === name));
  const issues = [
    ...missing.map(({ unit }) => issueOf(unit, 'Field required')),
    ...foreign.map((unit) => issueOf(unit, `A ${kind} model is not billed by this unit.`)),
  ];
  if (issues.length > 0) throw validationError(issues);
  return Object.fromEntries(Object.entries(usdPerMillion).map(([unit, usd]) => [unit, picosPerUnitOf(usd)]));
}

/** Rates as US dollars for a million of each unit. */
export const usdPerMillionOf = (rates: Rates): Record<string, number> =>
  Object.fromEntries(Object.entries(rates).map(([unit, picos]) => [unit, Number(picos) / PICOS_PER_USD_OF_MILLION]));

const PERCENT = 100;
const TENTHS = 10;

/** What remains of a price, in per cent of it, for the unit of which the least does; null where nothing can be compared. */
export function marginPercentageOf(price: Rates, cost: Rates): number | null {
  const margins = Object.entries(cost).flatMap(([unit, picos]) => {
    const paid = price[unit] ?? 0n;
    return paid > 0n ? [(Number(paid - picos) / Number(paid)) * PERCENT] : [];
  });
  return margins.length === 0 ? null : Math.round(Math.min(...margins) * TENTHS) / TENTHS;
}
