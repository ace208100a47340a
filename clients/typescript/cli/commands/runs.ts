import { Command } from 'commander';
import { answer } from './runs/answer.ts';
import { cancel, events, get } from './runs/one.ts';
import { list } from './runs/list.ts';
import { replay, rerun } from './runs/repeat.ts';

export const runs = new Command('runs').description('list, read, answer, cancel and repeat runs');
for (const command of [list, get, events, answer, cancel, rerun, replay]) runs.addCommand(command);
