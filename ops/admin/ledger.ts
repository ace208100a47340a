import { rotateBillKey } from '../../db/bill/signingKeys.ts';
import { checkInvariants, type LedgerSums, type Violation } from '../../db/invariants/invariants.ts';
import { usdTextOf } from '../../db/money.ts';
import { type AdminCommand, tableOf } from './command.ts';

export const checkLedgerCommand: AdminCommand = {
  words: 'ledger check',
  summary: 'Checks every rule of the ledger and prints the sums. Exit code 1 when a rule is broken.',
  async run({ db }) {
    await db.ledger.posted();
    const { sums, violations } = await checkInvariants(db.pool, { signedDays: null });
    return {
      text: [tableOf(sumRows(sums)), '', verdict(violations)].join('\n'),
      json: { ok: violations.length === 0, sums: presentSums(sums), violations },
      hasFailed: violations.length > 0,
    };
  },
};

export const rotateBillKeyCommand: AdminCommand = {
  words: 'ledger rotate-key',
  summary: 'Makes the key that signs the daily roots from now on. The earlier ones stay published.',
  async run({ db, config }) {
    const { id } = await rotateBillKey(db.everywhere, config.pluginKeys());
    return { text: `${id} signs from now on.`, json: { id } };
  },
};

function sumRows({ entries, transactions, totalNanos, balancesNanos, heldNanos }: LedgerSums): string[][] {
  return [
    ['SUM', 'USD'],
    ...Object.entries(balancesNanos).map(([name, nanos]) => [name, usdTextOf(nanos)]),
    ['all entries', usdTextOf(totalNanos)],
    ['open holds', usdTextOf(heldNanos)],
    [`${entries} entries in ${transactions} transactions`, ''],
  ];
}

function verdict(violations: Violation[]): string {
  if (violations.length === 0) return 'No rule is broken.';
  return violations.map(({ rule, detail }) => `BROKEN: ${rule}: ${detail}`).join('\n');
}

function presentSums({ entries, transactions, totalNanos, balancesNanos, heldNanos }: LedgerSums) {
  const balances = Object.entries(balancesNanos).map(([name, nanos]) => [name, usdTextOf(nanos)]);
  return {
    entries: Number(entries),
    transactions: Number(transactions),
    total_usd: usdTextOf(totalNanos),
    held_usd: usdTextOf(heldNanos),
    balances_usd: Object.fromEntries(balances) as Record<string, string>,
  };
}
