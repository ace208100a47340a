import type { Option } from './FilterField.tsx';

/** One of a few choices that are all in sight; the empty one is all of them. */
export function ChoiceChips({
  label,
  options,
  value,
  onChange,
}: {
  label: string;
  options: Option[];
  value: string;
  onChange: (value: string) => void;
}) {
  return (
    <div className="filters" role="group" aria-label={label}>
      {[{ value: '', label: 'All' }, ...options].map((option) => (
        <button
          key={option.value}
          type="button"
          className="chip chip-choice"
          aria-pressed={value === option.value}
          data-set={value === option.value || undefined}
          onClick={() => onChange(option.value)}
        >
          {option.label}
        </button>
      ))}
    </div>
  );
}
