import { Command } from 'commander';
import type { Schemas } from '../../src/index.ts';
import { clientOf } from '../credentials/connection.ts';
import { briefTime, exactUsd, number, time, usd } from '../format.ts';
import { printResult, withExamples } from '../output.ts';
import { out } from '../terminal/colors.ts';
import { listOf, tableOf } from '../terminal/table.ts';

type Explanation = Schemas['Explanation'];

const command = new Command('explain')
  .description('how the cost of something came about, to the last part of a cent')
  .argument('<id>', 'of a request (req_…), an answer (chatcmpl-…, resp_…), a run, a ledger entry or an event')
  .action(async (id: string, _options, self: Command) => {
    const { api } = await clientOf(self);
    const params = { path: { explained_id: id } };
    const { data } = await api.GET('/platform/v1/explain/{explained_id}', { params });
    printResult(self, data, explanationText);
  });

export const explain = withExamples(command, [
  ['ledgerline explain run_01HX…'],
  ['ledgerline explain chatcmpl-…', 'the id in an answer of a model'],
]);

function explanationText(explanation: Explanation): string {
  const { lines, entries, request } = explanation;
  if (request?.error) return `${subjectText(explanation)}\n\n${explanation.text}`;
  const parts = [subjectText(explanation)];
  if (lines.length > 0) parts.push(billText(explanation));
  else parts.push(explanation.text);
  if (entries.length > 0) parts.push(entriesText(entries));
  return parts.join('\n\n');
}

function subjectText({ request, run, model, agent, price }: Explanation): string {
  return listOf([
    ['Request', request && `${request.id}  ${request.route}`],
    ['Run', run && `${run.id}  ${run.status}`],
    ['Agent', agent && `${agent}${run ? ` (${run.version})` : ''}`],
    ['Model', model],
    ['Key', request && (request.key_name ?? request.key_prefix)],
    ['When', time(request?.started_at ?? run?.created_at)],
    ['Status', request && `${request.status}${request.cancelled ? ', its client disconnected' : ''}`],
    ['Price since', price && `${time(price.valid_from)}${price.set_by ? `, set by ${price.set_by}` : ''}`],
    ['Borne by the platform', run && run.absorbed_usd > 0 ? usd(run.absorbed_usd) : null],
  ]);
}

interface BillRow {
  part: string;
  quantity: string;
  price: string;
  cost: string;
}

function billText({ lines, rounding_usd, total_usd }: Explanation): string {
  const rows: BillRow[] = lines.map(({ unit, description, quantity, price_usd, per, cost_usd }) => ({
    part: price_usd === null ? description : unit.replaceAll('_', ' '),
    quantity: price_usd === null ? '' : number(quantity),
    price: price_usd === null ? '' : `${exactUsd(price_usd)} per ${per}`,
    cost: exactUsd(cost_usd),
  }));
  if (rounding_usd !== 0) rows.push({ part: 'rounding', quantity: '', price: '', cost: exactUsd(rounding_usd) });
  rows.push({ part: out.bold('total'), quantity: '', price: '', cost: out.bold(exactUsd(total_usd)) });
  return tableOf<BillRow>(
    [
      { title: 'part', text: ({ part }) => part, shrinks: true },
      { title: 'quantity', align: 'right', text: ({ quantity }) => quantity },
      { title: 'price', align: 'right', text: ({ price }) => price },
      { title: 'cost', align: 'right', text: ({ cost }) => cost },
    ],
    rows,
  );
}

function entriesText(entries: Explanation['entries']): string {
  return tableOf(
    [
      { title: 'ledger entry', text: ({ id }) => id },
      { title: 'kind', text: ({ kind }) => kind },
      { title: 'amount', align: 'right', text: ({ amount_usd }) => exactUsd(amount_usd) },
      { title: 'balance after', align: 'right', text: ({ balance_after_usd }) => usd(balance_after_usd) },
      { title: 'when', text: ({ created_at }) => time(created_at), brief: ({ created_at }) => briefTime(created_at) },
    ],
    entries,
  );
}
