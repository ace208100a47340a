import type { Run } from '../../src/index.ts';
import { out } from '../terminal/colors.ts';

const COLORS: Record<string, (text: string) => string> = {
  completed: out.green,
  failed: out.red,
  limit_reached: out.red,
  cancelled: out.yellow,
  requires_action: out.yellow,
};

export function statusText({ status }: Pick<Run, 'status'>): string {
  return (COLORS[status] ?? out.cyan)(status.replace('_', ' '));
}
