import type { Script } from '../../rules/scripted/script.ts';
import type { Json } from '../../providers/provider.ts';

/**
 * Plays the language model of `docs/examples/salesReport`: it follows the instructions of the asking agent, and takes its figures only from
 * tool results.
 */
export function salesModel(body: Json): Script {
  const messages = body.messages as { role: string; content: string }[];
  const instructions = messages.find(({ role }) => role === 'system')!.content;
  const at = messages.findLastIndex(({ role }) => role === 'user');
  const turn: Turn = {
    question: messages[at]!.content,
    results: messages.slice(at).flatMap(({ role, content }) => (role === 'tool' ? [content] : [])),
  };
  if (!instructions.startsWith('You report on sales.')) return manage(turn, JSON.stringify(body.tools));
  return report(turn, { isNext: instructions.includes('as a pie') });
}

interface Turn {
  question: string;
  /** Of the tools, since the question. */
  results: string[];
}

const call = (name: string, args: object): Script => ({ toolCalls: [{ name, arguments: JSON.stringify(args) }] });

const SUM = `const sums = {};
for (const [region, amount] of sales) sums[region] = (sums[region] ?? 0) + amount;
console.log(JSON.stringify({ sales: sales.length, sums }));`;
const FROM_WORKBOOK = `const [{ rows }] = JSON.parse(readFile('sales.xlsx.json'));
const sales = rows.slice(1).map(([, region, , amount]) => [region, amount]);
${SUM}`;

function report({ question, results: [printed, drawn] }: Turn, { isNext }: { isNext: boolean }): Script {
  if (printed === undefined) {
    const rows = rowsIn(question);
    if (question.includes('[File: sales.xlsx]')) return call('run_code', { code: FROM_WORKBOOK });
    if (rows.length === 0) return call('return_data', { sales: 0, total: 0, by_region: [] });
    return call('run_code', { code: `const sales = ${JSON.stringify(rows)};\n${SUM}` });
  }
  const { sales, sums } = JSON.parse(printed) as { sales: number; sums: Record<string, number> };
  const regions = Object.entries(sums).toSorted(([, one], [, other]) => other - one);
  const total = regions.reduce((sum, [, amount]) => sum + amount, 0);
  if (drawn === undefined) {
    const [kind, path] = isNext ? ['pie', 'shares.svg'] : ['bar', 'sales.png'];
    const series = [{ name: 'Amount', values: regions.map(([, amount]) => rounded(amount, 2)) }];
    return call('draw_chart', { kind, path, title: 'Sales by region', labels: regions.map(([name]) => name), series });
  }
  const by_region = regions.map(([region, amount]) => ({
    region,
    amount: rounded(amount, 2),
    ...(isNext && { share_percent: rounded((100 * amount) / total, 1) }),
  }));
  return call('return_data', { sales, total: rounded(total, 2), by_region });
}

const rounded = (value: number, digits: number) => Number(value.toFixed(digits));

/** The regions and amounts in a workbook's table, or in a sentence like the example prompt's. */
function rowsIn(text: string): [string, number][] {
  const cells = [...text.matchAll(/^\| [\d-]{10} \| (\w+) \| \w+ \| ([\d.]+) \|/gm)];
  if (cells.length > 0) return cells.map(([, region, amount]) => [region!, Number(amount)]);
  return [...text.matchAll(/(\w+)(?: sold)? for ([\d.]+\d)(?: and ([\d.]+\d))?/g)].flatMap(([, region, ...amounts]) =>
    amounts.filter(Boolean).map((amount): [string, number] => [region!, Number(amount)]),
  );
}

function manage({ question, results: [table, answer] }: Turn, tools: string): Script {
  if (!question.includes('[File: sales.xlsx]')) return { text: 'South sold most: 20 of 30.' };
  if (table === undefined) return call('read_file', { path: 'sales.xlsx' });
  if (answer === undefined) {
    const [agent] = /[\w-]+\/sales-report/.exec(tools)!;
    const input = `Chart the sums by region, and return the totals.\n\n${table}`;
    return call('call_agent', { agent, input, max_cost_usd: 0.05 });
  }
  const { total, by_region } = JSON.parse(answer.slice(answer.indexOf('{'))) as {
    total: number;
    by_region: { region: string; amount: number }[];
  };
  return { text: `${by_region[0]!.region} sold most: ${by_region[0]!.amount} of ${total}.` };
}
