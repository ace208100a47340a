const KEYS = [
  { keys: ['Ctrl', 'K'], also: ['⌘', 'K'], does: 'Search everything' },
  { keys: ['/'], does: 'Search this page' },
  { keys: ['?'], does: 'Show these shortcuts' },
  { keys: ['↑', '↓'], does: 'Move in the results' },
  { keys: ['Enter'], does: 'Open' },
  { keys: ['Esc'], does: 'Close' },
];

const keyCaps = (keys: string[]) => keys.map((key) => <kbd key={key}>{key}</kbd>);

/** The keys that work on every page. */
export function KeyList() {
  return (
    <dl className="key-list">
      {KEYS.map(({ keys, also, does }) => (
        <div key={does}>
          <dt>{does}</dt>
          <dd>
            {keyCaps(keys)}
            {also && <span>or</span>}
            {also && keyCaps(also)}
          </dd>
        </div>
      ))}
    </dl>
  );
}
