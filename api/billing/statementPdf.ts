import { dayText, lastDayOf, momentText, monthText } from '../../base/dateText.ts';
import { drawFeet, drawHead, openPdf, roomFor, SOFT, write } from '../../base/pdf/page.ts';
import { drawTable } from '../../base/pdf/table.ts';
import type { AccountStatement } from '../../db/accounting/statement.ts';
import { amountText, grouped, usdTextOf } from '../../db/money.ts';
import { rowsOf, type StatementRow } from './statementRows.ts';

/** A statement as a PDF of A4 pages: the account, the month, and the rows that add up to the closing balance. */
export function renderStatement(
  statement: AccountStatement,
  { month, workspace, now }: { month: string; workspace: { id: string; name: string }; now: Date },
): Promise<Buffer> {
  const title = `Statement for ${monthText(month)}`;
  const { pdf, done } = openPdf(`Ledgerline: ${title}`);
  const facts: [string, string][] = [
    ['Workspace', workspace.name],
    ['Workspace ID', workspace.id],
    ['Period', `${dayText(`${month}-01`)} – ${dayText(lastDayOf(month))} (UTC)`],
    ['Created', momentText(now)],
  ];
  const top = drawHead(pdf, { title, issuer: 'Ledgerline', facts });
  const y = drawTable(pdf, ['Change of the balance', 'Requests', 'US dollars'], paperRows(statement), top);
  // Beside the table, because it is not part of the balance.
  if (statement.earnedNanos !== 0n) write(pdf, earnedText(statement), roomFor(pdf, y + 12, 14), { colour: SOFT });
  drawFeet(pdf, `Amounts are exact, as in the ledger of ${workspace.id}.`);
  pdf.end();
  return done;
}

function paperRows(statement: AccountStatement) {
  const rows = rowsOf(statement);
  // All lines have as many decimals as the longest one, so that the points align.
  const decimals = Math.max(...rows.map(({ nanos }) => usdTextOf(nanos).split('.')[1]?.length ?? 0));
  return rows.map(({ line, label, spend, nanos }: StatementRow) => ({
    text: [label, spend?.agent ?? spend?.model].filter(Boolean).join(': '),
    amounts: [spend ? grouped(String(spend.requests)) : '', amountText(nanos, decimals)],
    isStrong: line.endsWith('_balance'),
  }));
}

const earnedText = ({ earnedNanos }: AccountStatement): string =>
  `Published agents earned ${amountText(earnedNanos)} USD. That is not part of the balance until it is paid out to it.`;
