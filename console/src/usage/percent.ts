/** A change in percent: `+27%`, with a true minus. */
export function percentText(now: number, before: number): string {
  if (before === 0) return now === 0 ? '0%' : 'new';
  const percent = ((now - before) / before) * 100;
  const text = Math.abs(percent).toFixed(Math.abs(percent) < 10 && Math.round(percent * 10) % 10 !== 0 ? 1 : 0);
  if (Number(text) === 0) return '0%';
  return `${percent > 0 ? '+' : '−'}${Number(text).toLocaleString('en-US')}%`;
}
