import type { Command } from 'commander';
import { agents } from './agents.ts';
import { channels } from './channels.ts';
import { dev } from './dev.ts';
import { earnings } from './earnings.ts';
import { evaluate } from './eval.ts';
import { type ChooseModel, createInit } from './init.ts';
import { publish } from './publish.ts';
import { pull } from './pull.ts';
import { rollback } from './rollback.ts';
import { rollout } from './rollout.ts';
import { versions } from './versions.ts';

/** The commands of who publishes agents. `chooseModel` offers models for `init --model`. */
export const publishing = ({ chooseModel }: { chooseModel?: ChooseModel } = {}): Command[] => [
  createInit(chooseModel),
  dev,
  evaluate,
  publish,
  versions,
  rollout,
  rollback,
  channels,
  earnings,
  agents,
  pull,
];
