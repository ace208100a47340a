import type { Step } from '../parts/chart/layout.ts';
import type { Unit } from './period.ts';

const clockIn = (timeZone: string) =>
  new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23', timeZone });
const clock = clockIn('UTC');
const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });
const weekday = new Intl.DateTimeFormat('en-GB', { weekday: 'short', day: 'numeric', month: 'short', timeZone: 'UTC' });

const dayIn = (timeZone: string) => new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone });

const ownZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

/**
 * Names of steps for people: in UTC, as the ledger has its days. Of hours and minutes the card also says the time in the reader's zone,
 * where that is another one, with its day.
 */
export function stepTexts(steps: string[], unit: Unit, openAt?: number, zone = ownZone()): Step[] {
  const [local, localDay] = [clockIn(zone), dayIn(zone)];
  return steps.map((step, at) => {
    const moment = new Date(step);
    const isOpen = at === openAt;
    if (unit === 'day') {
      return { text: day.format(moment), title: `${weekday.format(moment)} UTC`, ...(isOpen && { note: 'so far' }) };
    }
    const time = clock.format(moment);
    const ownTime = local.format(moment);
    const ownDay = localDay.format(moment);
    const own = ownDay === day.format(moment) ? ownTime : `${ownDay}, ${ownTime}`;
    const minutes = moment.getUTCHours() * 60 + moment.getUTCMinutes();
    return {
      place: unit === 'hour' ? minutes / 60 : minutes,
      text: unit === 'hour' && time === '00:00' ? day.format(moment) : time,
      title: `${day.format(moment)}, ${time} UTC`,
      ...(isOpen ? { note: 'so far' } : own !== time && { note: `${own} your time` }),
    };
  });
}
