// Loaded into every process of a test run (NODE_OPTIONS) while the statements of a release are recorded: appends each statement of the
// product to a file of the process, once for each of its shapes.
import { appendFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const folder = process.env.RECORD_STATEMENTS;
const { Client, Pool } = createRequire(import.meta.url)('pg');
const EXPLAINED = /^\s*(select|insert|update|delete|with|merge|values)\b/i;
const seen = new Set();

if (folder) {
  Error.stackTraceLimit = 30;
  for (const holder of [Client.prototype, Pool.prototype]) {
    const { query } = holder;
    holder.query = function (...args) {
      note(this, args[0]);
      return query.apply(this, args);
    };
  }
}

function note(holder, sent) {
  const text = typeof sent === 'string' ? sent : sent?.text;
  if (typeof text !== 'string') return;
  // Reading transactions take the role of tenants until they end.
  if (/set local role ledgerline_tenant/.test(text)) holder.role = 'ledgerline_tenant';
  else if (/^(commit|rollback)/i.test(text)) holder.role = undefined;
  if (!EXPLAINED.test(text) || !isOfProduct()) return;
  const role = holder.role ?? 'ledgerline_system';
  const shape = `${role} ${text
    .replace(/'(?:[^']|'')*'/g, '?')
    .replace(/\b\d+\b/g, '?')
    .replace(/(\?|\$\?)(, ?(\?|\$\?))+/g, '?…')
    .replace(/\s+/g, ' ')}`;
  if (seen.has(shape)) return;
  seen.add(shape);
  appendFileSync(join(folder, `${process.pid}.jsonl`), `${JSON.stringify({ shape, role, text: text.trim() })}\n`);
}

/** Whether the nearest of our files among the callers, except for the wrapper of connections, belongs to the product. */
function isOfProduct() {
  const lines = new Error().stack.split('\n').slice(1);
  const near = lines.find(
    (line) =>
      !line.includes('node_modules') &&
      !/recordStatements|db\/postgres\/pool/.test(line) &&
      /\.[cm]?[jt]s/.test(line) &&
      !line.includes('node:'),
  );
  return (
    near !== undefined &&
    /\/(db|api|activities|worker|payments|mail|telemetry)\//.test(near) &&
    !near.includes('/test/')
  );
}
