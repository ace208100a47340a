const DAYS = ['Sundays', 'Mondays', 'Tuesdays', 'Wednesdays', 'Thursdays', 'Fridays', 'Saturdays', 'Sundays'];
const DAY_NAMES = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];

/** A cron rule in words, `Weekdays at 06:30`; undefined for a rule that is not of a usual form. */
export function cronText(cron: string): string | undefined {
  const [minute = '', hour = '', day = '', month = '', weekday = '', ...rest] = cron.trim().toLowerCase().split(/\s+/);
  if (rest.length > 0 || month !== '*') return undefined;
  const everyMinutes = /^\*\/(\d+)$/.exec(minute)?.[1];
  if (everyMinutes && hour === '*' && day === '*' && weekday === '*')
    return everyMinutes === '1' ? 'Every minute' : `Every ${everyMinutes} minutes`;
  if (!/^\d{1,2}$/.test(minute)) return undefined;
  if (hour === '*' && day === '*' && weekday === '*') return `Every hour at :${minute.padStart(2, '0')}`;
  if (!/^\d{1,2}$/.test(hour)) return undefined;
  const days = daysText(day, weekday);
  return days && `${days} at ${hour.padStart(2, '0')}:${minute.padStart(2, '0')}`;
}

function daysText(day: string, weekday: string): string | undefined {
  if (day === '*' && weekday === '*') return 'Every day';
  if (day !== '*') return weekday === '*' && /^\d{1,2}$/.test(day) ? `Day ${Number(day)} of each month` : undefined;
  if (weekday === '1-5' || weekday === 'mon-fri') return 'Weekdays';
  const named = DAY_NAMES.indexOf(weekday);
  return named >= 0 ? DAYS[named] : /^[0-7]$/.test(weekday) ? DAYS[Number(weekday)] : undefined;
}
