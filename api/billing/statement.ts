import type { z } from 'zod';
import { readAccountStatement, type AccountStatement } from '../../db/accounting/statement.ts';
import { usdOf } from '../../db/money.ts';
import { findWorkspace } from '../../db/workspaces/workspaces.ts';
import type { Context, Handler } from '../context.ts';
import { csvTextOf } from '../http/csvList.ts';
import { monthOf } from '../guard/testMode.ts';
import { nowMsOf } from '../../calls/caller.ts';
import type { Services } from '../services.ts';
import type { AccountStatementAnswer } from './billingAnswers.ts';
import { presentRow, rowsOf, type StatementRow } from './statementRows.ts';
import { sendVerifiableStatement } from './verifiableStatement.ts';
import type { StatementQuery } from './billingSchema.ts';

/** `GET /platform/v1/billing/statement`: a month of the account as JSON, CSV, PDF or lines for a checker. Its sums equal the ledger's. */
export function retrieveAccountStatement(services: Services): Handler<z.output<typeof StatementQuery>> {
  const { db } = services;
  return async (ctx) => {
    const { workspaceId, accountId } = ctx.state.key;
    const { month = monthOf(ctx), format } = ctx.state.input;
    await db.ledger.posted();
    if (format === 'jsonl') return sendVerifiableStatement(ctx, services, month);
    const statement = await readAccountStatement(db.read(workspaceId), { accountId, month });
    if (format === 'csv') return attach(ctx, `statement-${month}.csv`, await csvOf(statement));
    if (format === 'pdf') {
      const { renderStatement } = await import('./statementPdf.ts');
      const workspace = (await findWorkspace(db.read(workspaceId), workspaceId))!;
      return attach(
        ctx,
        `statement-${month}.pdf`,
        await renderStatement(statement, { month, workspace, now: new Date(nowMsOf(ctx.state)) }),
      );
    }
    ctx.body = presentStatement(statement, month);
  };
}

function attach(ctx: Context, name: string, content: string | Buffer): void {
  ctx.attachment(name);
  ctx.type = name.endsWith('.csv') ? 'text/csv' : 'application/pdf';
  ctx.body = content;
}

function presentStatement(statement: AccountStatement, month: string): z.infer<typeof AccountStatementAnswer> {
  return {
    object: 'statement',
    month,
    currency: 'USD',
    opening_balance_usd: usdOf(statement.openingNanos),
    topups_usd: usdOf(statement.topupsNanos),
    refunds_usd: usdOf(statement.refundsNanos),
    adjustments_usd: usdOf(statement.adjustmentsNanos),
    payouts_usd: usdOf(statement.payoutsNanos),
    spend: statement.spend.map(({ costNanos, ...line }) => ({ ...line, cost_usd: usdOf(costNanos) })),
    spend_by_project: statement.projects.map(({ projectId, name, requests, costNanos }) => ({
      project_id: projectId,
      name,
      requests,
      cost_usd: usdOf(costNanos),
    })),
    spend_usd: usdOf(statement.spendNanos),
    closing_balance_usd: usdOf(statement.closingNanos),
    rows: rowsOf(statement).map(presentRow),
    earnings_usd: usdOf(statement.earnedNanos),
  };
}

const CSV_HEADING = ['line', 'product', 'name', 'requests', 'amount_usd'];

/** Amounts signed by their effect on the balance, so that they add up to the closing balance. */
function csvOf(statement: AccountStatement): Promise<string> {
  const cells = (row: StatementRow) => {
    const { line, product, name, requests } = presentRow(row);
    return [line, product, name, requests, row.nanos];
  };
  return csvTextOf([CSV_HEADING, ...rowsOf(statement).map(cells)]);
}
