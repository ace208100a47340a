import { cronText } from './cronText.ts';
import { ruleOf, type Schedule } from './schedules.ts';

/** When it runs: in words, with the rule on hover; a rule without words as it is. */
export function Rule({ of: schedule }: { of: Schedule }) {
  const words = schedule.cron === null ? undefined : cronText(schedule.cron);
  if (!words) return ruleOf(schedule);
  return (
    <span title={ruleOf(schedule)}>
      {words} <span className="schedule-zone">{schedule.timezone}</span>
    </span>
  );
}
