import { time } from '../format.ts';
import { out } from '../terminal/colors.ts';
import type { ReceivedEvent } from './followEvents.ts';
import type { Forwarded } from './forwardEvent.ts';

const TYPE_WIDTH = 26;

/** `2026-11-26 21:40:05  run.completed  evt_…`. */
export function eventLine({ id, type, body }: ReceivedEvent): string {
  const { created_at } = JSON.parse(body) as { created_at: string };
  return `${out.dim(time(created_at))}  ${out.bold(type.padEnd(TYPE_WIDTH))}  ${out.dim(id)}`;
}

/** `  200  in 12 ms  POST http://localhost:3000/hook  evt_…`. */
export function forwardedLine(answer: Forwarded, { id }: ReceivedEvent, url: string): string {
  const style = 'status' in answer && answer.status < 300 ? out.green : out.red;
  const result = 'status' in answer ? String(answer.status) : `not delivered: ${answer.problem}`;
  return `  ${style(result)}  in ${answer.durationMs} ms  ${out.dim(`POST ${url}  ${id}`)}`;
}
