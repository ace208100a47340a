import './runs.css';
import { CubeIcon, FileTextIcon, GearIcon, LayersIcon, MagicWandIcon, RocketIcon } from '@radix-ui/react-icons';
import type { Step } from './runEvents.ts';

const ICONS: Record<string, typeof GearIcon> = {
  model: MagicWandIcon,
  tool: GearIcon,
  sandbox: CubeIcon,
  file: FileTextIcon,
  compaction: LayersIcon,
};
const KINDS: Record<string, string> = {
  model: 'Model',
  tool: 'Tool',
  sandbox: 'Sandbox',
  file: 'File',
  compaction: 'Compaction',
};

export const kindText = (kind: string): string => KINDS[kind] ?? kind;

/** The kind of a step as a small tile. */
export function StepIcon({ step: { kind, name } }: { step: Pick<Step, 'kind' | 'name'> }) {
  const Icon = name === 'call_agent' ? RocketIcon : (ICONS[kind] ?? GearIcon);
  return (
    <span className="step-icon" data-kind={kind} title={kindText(kind)}>
      <Icon width={12} height={12} aria-hidden />
      <span className="for-readers">{kindText(kind)}</span>
    </span>
  );
}
