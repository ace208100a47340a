const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });
const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' });

/** `14:00 today`, `14:00 on 3 Nov`, in the reader's zone. */
export function checkedText(at: string, nowMs: number): string {
  const moment = new Date(at);
  const isToday = day.format(moment) === day.format(new Date(nowMs));
  return `${clock.format(moment)} ${isToday ? 'today' : `on ${day.format(moment)}`}`;
}

const STEPS: [string, number][] = [
  ['d', 86_400],
  ['h', 3_600],
  ['min', 60],
];

/** How old something is: `3 min`, `5 s`. */
export function ageText(seconds: number): string {
  const step = STEPS.find(([, size]) => seconds >= size);
  return step ? `${Math.floor(seconds / step[1])} ${step[0]}` : `${Math.floor(seconds)} s`;
}
