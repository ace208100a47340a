import type { Json } from '../../../providers/provider.ts';
import type { Script } from '../../../rules/scripted/script.ts';
import { SCENES } from './scenes.ts';

const HEAD_MS = 60;
const TOKEN_MS = 4;

/** What the models of the demonstration answer to a call: what its scene says, or one of some general answers. */
export function answerOf(body: Json): Script {
  const text = textOf(body);
  const scene = SCENES.find(({ when }) => when.test(text))?.script;
  if (scene) return { headDelayMs: HEAD_MS, ...scene };
  const answer = GENERAL[text.length % GENERAL.length]!;
  return { text: answer, headDelayMs: HEAD_MS, delayMs: TOKEN_MS };
}

/** The instructions of a call and its last question, as one text. */
function textOf({ messages, prompt, input }: Json): string {
  if (!Array.isArray(messages)) return JSON.stringify(prompt ?? input ?? '');
  const said = messages as Json[];
  const wanted = [said.find(({ role }) => role === 'system'), said.findLast(({ role }) => role === 'user')];
  return wanted.map((message) => JSON.stringify(message?.content ?? '')).join(' ');
}

const GENERAL = [
  'The gripper needs 4 to 6 bar. Below 4 bar it may lose parts heavier than 1.2 kg; above 6 bar the seals wear faster.',
  'Check three things, in this order:\n\n1. Is the **emergency stop** released on both panels?\n2. Does axis 3 reach its reference within 20 s?\n3. Is the firmware at least `4.2.1`?\n\nIf the fault stays, send us the file `trace.bin`.',
  'E-417 says that the torque of axis 3 stayed above its limit for 200 ms. Usually a cable carrier drags: move the axis by hand with the brake released, and look for resistance between 40° and 60°.',
  'Yes. The calibration of the camera is kept over a restart, but not over a change of the lens. Run `calibrate --quick` after a change; it takes about two minutes.',
];
