import './catalog.css';
import { Money } from '../parts/Money.tsx';
import { orderedUnits, shownUnit, shownUsd } from './units.ts';

/** Amounts of a price or a cost, each with its unit. */
export function Amounts({ of: usdPerMillion }: { of: Record<string, number> | undefined }) {
  if (!usdPerMillion) return <>—</>;
  const units = orderedUnits(Object.keys(usdPerMillion));
  return (
    <span className="catalog-amounts">
      {units.map((unit) => (
        <span key={unit} className="nowrap" title={`${shownUnit(unit).label}, for ${shownUnit(unit).per}`}>
          <span className="catalog-muted">{shownUnit(unit).label}</span>{' '}
          <Money usd={shownUsd(unit, usdPerMillion[unit]!)} />
        </span>
      ))}
    </span>
  );
}
