import { CardStackIcon, CheckCircledIcon, LayersIcon, ReaderIcon } from '@radix-ui/react-icons';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Explanation } from '../api/shapes.ts';
import { kindText } from '../billing/kinds.ts';
import { countText, DateTime, unitName, UtcDay } from '../parts/figures.tsx';
import { Money } from '../parts/Money.tsx';
import { priceText } from '../parts/priceText.ts';
import { Proof } from './Proof.tsx';

/** From a price to its proof: quantity × price, the cost, the ledger's entry, the statement. */
export function CostChain({ of }: { of: Explanation }) {
  return (
    <ol className="chain">
      <Step mark={<LayersIcon />} title="Quantity × price">
        <p className="chain-note">
          <PriceRow of={of} />
        </p>
        <Lines of={of} />
      </Step>
      <Step mark={<CardStackIcon />} title="Cost">
        <Sum of={of} />
      </Step>
      <Step mark={<ReaderIcon />} title={of.entries.length > 1 ? 'Ledger entries' : 'Ledger entry'}>
        <Entries of={of} />
      </Step>
      <Proof of={of} step={(props) => <Step mark={<CheckCircledIcon />} {...props} />} />
    </ol>
  );
}

function Step({
  mark,
  title,
  tone,
  children,
}: {
  mark: ReactNode;
  title: string;
  tone?: 'good' | 'held';
  children: ReactNode;
}) {
  return (
    <li className="chain-step">
      <span className="chain-mark" data-tone={tone} aria-hidden>
        {mark}
      </span>
      <h3>{title}</h3>
      {children}
    </li>
  );
}

function PriceRow({ of: { lines, model, agent, price_valid_from: from, price } }: { of: Explanation }) {
  const name = lines.length > 0 && (model ?? agent);
  if (!name) return <>No usage.</>;
  return (
    <>
      Prices of {name}
      {from && (
        <>
          , in force since <UtcDay at={from} />
        </>
      )}
      {price?.set_by && `, set by ${price.set_by} and approved by ${price.approved_by}`}
    </>
  );
}

function Lines({ of: { lines } }: { of: Explanation }) {
  if (lines.length === 0) return null;
  return (
    <div role="group" aria-label="Lines of the cost">
      <table className="chain-table">
        <tbody>
          {lines.map((line, at) => (
            <tr key={`${line.unit} ${at}`}>
              <td>
                {countText(line.quantity)} {line.description || unitName(line.unit).toLowerCase()}
                {line.price_usd !== null && (
                  <>
                    {' × '}
                    <span className="number">{priceText(line.price_usd, line.per)}</span>
                  </>
                )}
              </td>
              <td>
                <Money usd={line.cost_usd} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Sum({ of: { rounding_usd: rounding, total_usd: total, lines } }: { of: Explanation }) {
  return (
    <div role="group" aria-label="Sum of the cost">
      <table className="chain-table">
        <tbody>
          {lines.length > 0 && (
            <tr>
              <td>Rounding, to the nano-dollar</td>
              <td>
                <Money usd={rounding} hasSign />
              </td>
            </tr>
          )}
          <tr className="chain-total">
            <td>Total</td>
            <td>
              <Money usd={total} />
            </td>
          </tr>
        </tbody>
      </table>
    </div>
  );
}

function Entries({ of: { entries } }: { of: Explanation }) {
  if (entries.length === 0) return <p className="chain-note">No entry: the balance did not change.</p>;
  return (
    <div role="group" aria-label="Ledger entries">
      {entries.map((entry) => (
        <div key={entry.id} className="chain-entry">
          <span>
            <strong>{kindText(entry.kind)}</strong>{' '}
            <Link to="/explain" search={() => ({ id: entry.id })} className="id row-link">
              {entry.id}
            </Link>
          </span>
          <span>
            <DateTime at={entry.created_at} />
          </span>
          <span>
            <strong>
              <Money usd={entry.amount_usd} hasSign />
            </strong>{' '}
            {entry.balance_after_usd !== null && (
              <>
                → balance <Money usd={entry.balance_after_usd} />
              </>
            )}
          </span>
        </div>
      ))}
    </div>
  );
}
