import { dayText, lastDayOf } from '../../base/dateText.ts';
import type { InvoicePaper } from '../../base/pdf/invoicePdf.ts';
import type { PaperRow } from '../../base/pdf/table.ts';
import { PRODUCT_NAMES, type Product } from '../catalog/products.ts';
import type { InvoiceCustomer, InvoiceLine, Seller } from '../entities/invoice.ts';
import { amountText, dollarText, grouped, usdTextOf } from '../money.ts';
import { isPurchase, sumOf } from './invoiceLines.ts';
import type { InvoiceRow } from './invoices.ts';

/** An invoice as a PDF. It says the same whenever it is drawn, because the row never changes. */
export async function renderInvoice(invoice: InvoiceRow): Promise<Buffer> {
  const { drawInvoice } = await import('../../base/pdf/invoicePdf.ts');
  return drawInvoice(paperOf(invoice));
}

function paperOf(invoice: InvoiceRow): InvoicePaper {
  const { number, isTest, month, createdAt, seller, customer, netNanos, taxNanos, lines } = invoice;
  const purchases = lines.filter(isPurchase);
  const total = netNanos + taxNanos;
  const isReturned = total < 0n;
  const moved = isReturned ? -total : total;
  return {
    number,
    isTest,
    facts: [
      ['Invoice number', number],
      ['Date of issue', dayText(createdAt)],
      ['Period', `${dayText(firstOf(month))} – ${dayText(lastDayOf(month))} (UTC)`],
      ...(customer.purchaseOrder ? [['Purchase order', customer.purchaseOrder] satisfies [string, string]] : []),
    ],
    seller: sellerLines(seller),
    customer: customerLines(customer),
    headline:
      purchases.length > 0 ? `${dollarText(moved)} ${isReturned ? 'returned' : 'paid'}` : 'No payment in this month',
    purchases: purchases.length > 0 ? purchases.map(purchaseRow) : [{ text: 'No credit was bought', amounts: [] }],
    totals: [
      ['Subtotal', dollarText(netNanos)],
      ['Tax', dollarText(taxNanos)],
      ['Total', dollarText(total), true],
      [isReturned ? 'Amount returned' : 'Amount paid', dollarText(moved)],
      ['Amount due', dollarText(0n), true],
    ],
    balance: balanceRows(invoice),
    notes: notesOf(invoice, purchases),
    foot: `${number} · ${invoice.workspaceId} · ${seller.name}`,
  };
}

const LABELS: Record<InvoiceLine['kind'], string> = {
  payment: 'Prepaid credit',
  refund: 'Credit refunded',
  dispute: 'Credit disputed',
  adjustment: 'Credit granted or adjusted',
  payout: 'Earnings paid out to the balance',
  usage: '',
};

function purchaseRow({ kind, nanos, taxNanos = '0', at, reference, source }: InvoiceLine): PaperRow {
  const how = source === 'auto' ? 'Automatic top-up' : source && 'Payment page';
  const note = [at && dayText(at), how, reference].filter(Boolean).join(' · ');
  const [net, tax] = [BigInt(nanos), BigInt(taxNanos)];
  return { text: LABELS[kind], note, amounts: [dollarText(net), dollarText(tax), dollarText(net + tax)] };
}

/** From the balance at the start to the one at the end. All have as many decimals as the longest, so that they add up to the eye. */
function balanceRows({ lines, openingNanos, closingNanos, netNanos }: InvoiceRow): PaperRow[] {
  const others = lines.filter(({ kind }) => kind === 'adjustment' || kind === 'payout');
  const usage = lines.filter(({ kind }) => kind === 'usage');
  const all = [openingNanos, closingNanos, netNanos, ...[...others, ...usage].map(({ nanos }) => BigInt(nanos))];
  const decimals = Math.max(2, ...all.map((nanos) => usdTextOf(nanos).split('.')[1]?.length ?? 0));
  const row = (text: string, nanos: bigint, requests = '', isStrong = false): PaperRow => ({
    text,
    amounts: [requests, amountText(nanos, decimals)],
    isStrong,
  });
  const sumRows = (kind: InvoiceLine['kind']) => {
    const own = others.filter((line) => line.kind === kind);
    return own.length > 0 ? [row(LABELS[kind], sumOf(own.map(({ nanos }) => nanos)))] : [];
  };
  return [
    row('Opening balance', openingNanos, '', true),
    row('Credit bought, less refunds', netNanos),
    ...sumRows('adjustment'),
    ...sumRows('payout'),
    ...usage.map(({ product, name, requests, nanos }) =>
      row(
        [PRODUCT_NAMES[product as Product], name].filter(Boolean).join(': '),
        BigInt(nanos),
        grouped(String(requests)),
      ),
    ),
    row('Closing balance', closingNanos, '', true),
  ];
}

function notesOf({ seller, customer }: InvoiceRow, purchases: InvoiceLine[]): string[] {
  return [
    'Prepaid credit is charged, with its tax, when it is bought. Amounts are US dollars.',
    ...(purchases.some(({ taxReason }) => taxReason === 'reverse_charge')
      ? [`Reverse charge: ${customer.company ?? 'the customer'} accounts for the tax.`]
      : []),
    ...(seller.email ? [`Questions: ${seller.email}`] : []),
  ];
}

const taxLine = (taxId: string | null) => (taxId ? [`Tax number ${taxId}`] : []);

const sellerLines = ({ name, address, taxId }: Seller): string[] => [name, ...address, ...taxLine(taxId)];

function customerLines({ workspaceName, company, taxId, email, ...at }: InvoiceCustomer): string[] {
  // Some cities are regions too.
  const place = [at.postalCode, at.city, at.region !== at.city && at.region].filter(Boolean).join(' ');
  const country = at.country && new Intl.DisplayNames('en', { type: 'region' }).of(at.country);
  const lines = [company ?? workspaceName, at.line1, at.line2, place, country, ...taxLine(taxId), email];
  return lines.filter((line): line is string => Boolean(line));
}

const firstOf = (month: string): Date => new Date(`${month}-01T00:00:00Z`);
