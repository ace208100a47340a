/** The change compared with the days before. */
export function Before({ now = 0, before }: { now?: number; before: number | undefined }) {
  if (before === undefined) return null;
  if (before === 0) return <>{now === 0 ? 'As before' : 'None before'}</>;
  const percent = ((now - before) / before) * 100;
  return (
    <span className="number">{`${percent > 0 ? '+' : ''}${percent.toFixed(Math.abs(percent) < 10 ? 1 : 0)} % against before`}</span>
  );
}
