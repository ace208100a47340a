import { Dot } from './HoverCard.tsx';
import type { TextOf } from './layout.ts';
import { shareText, type Series } from './series.ts';

/** The series in order of their sums, with shares. A click shows one alone; a second click shows all again. */
export function Legend({
  series,
  only,
  onOnly,
  textOf,
  isSummed = true,
}: {
  series: Series[];
  /** The id of the series that is shown alone. */
  only: string | undefined;
  onOnly: (id: string | undefined) => void;
  textOf: TextOf;
  isSummed?: boolean;
}) {
  const valueText = textOf(series.map(({ sum }) => sum));
  const total = series.reduce((sum, one) => sum + one.sum, 0);
  return (
    <ol className="legend" aria-label="Series">
      {series.map(({ id, name, color, sum }) => (
        <li key={id}>
          <button
            type="button"
            className="legend-line"
            data-dim={(only !== undefined && only !== id) || undefined}
            aria-pressed={only === id}
            title={only === id ? 'Show all' : `Show ${name} alone`}
            onClick={() => onOnly(only === id ? undefined : id)}
          >
            <Dot color={color} />
            <span className="legend-name">{name}</span>
            <span className="number">{valueText(sum)}</span>
            {isSummed && <span className="legend-share number">{shareText(sum, total)}</span>}
          </button>
        </li>
      ))}
    </ol>
  );
}
