import type { ActionAnswer, RequiredAction } from '../../src/index.ts';
import { usd } from '../format.ts';
import { say } from '../output.ts';
import { err } from '../terminal/colors.ts';
import { askChoice, askText } from '../terminal/prompts.ts';
import { askForm, type FormSchema } from './form.ts';

type Answer = Exclude<ActionAnswer, string>;

/** Asks a person for the answer to an action of a run. */
export async function answerTo(action: RequiredAction, signal: AbortSignal): Promise<Answer> {
  const { type, question = 'The agent asks', schema } = action;
  if (type === 'tool_approval') return decide(action, signal);
  if (type === 'raise_limit') return raise(action, signal);
  if (type !== 'form') return askQuestion(action, signal);
  say(err.bold(question));
  return { type, data: await askForm(schema as FormSchema, signal) };
}

async function askQuestion({ question, default: preset }: RequiredAction, signal: AbortSignal): Promise<Answer> {
  const placeholder = typeof preset === 'string' ? preset : undefined;
  const validate = (text: string) => (text.trim() || placeholder ? undefined : 'The agent waits for a text.');
  const text = await askText({ message: question ?? 'The agent asks', placeholder, validate, signal });
  return { type: 'text', text: text.trim() || placeholder! };
}

async function decide(action: RequiredAction, signal: AbortSignal): Promise<Answer> {
  const { name, arguments: args = {}, expected_cost_usd: expected, maximum_cost_usd: most } = action;
  const cost = typeof expected === 'number' ? `, probably ${usd(expected)}` : '';
  say(
    `${err.bold(`The agent wants to call ${name}`)}${cost}${typeof most === 'number' ? `, at most ${usd(most)}` : ''}`,
  );
  say(JSON.stringify(args, null, 2));
  const decision = await askChoice(
    {
      message: 'May it?',
      choices: [
        { value: 'approve', label: 'Yes' },
        { value: 'change', label: 'Yes, with other arguments' },
        { value: 'refuse', label: 'No' },
      ],
    },
    signal,
  );
  if (decision === 'approve') return { type: 'tool_approval', decision };
  if (decision === 'refuse') {
    const reason = await askText({
      message: 'Why not? The agent reads it.',
      placeholder: 'leave empty for no reason',
      signal,
    });
    return { type: 'tool_approval', decision, ...(reason.trim() && { reason: reason.trim() }) };
  }
  const initialValue = JSON.stringify(args);
  const text = await askText({ message: 'The arguments', initialValue, validate: whyNoObject, signal });
  return { type: 'tool_approval', decision: 'approve', arguments: JSON.parse(text) as Record<string, unknown> };
}

async function raise({ max_cost_usd: now = 0 }: RequiredAction, signal: AbortSignal): Promise<Answer> {
  const validate = (text: string) => (Number(text) > now ? undefined : `It is more than ${usd(now)}.`);
  const message = `The run has used its ${usd(now)}. Let it cost at most, in US dollars:`;
  const text = await askText({ message, initialValue: String(now * 2), validate, signal });
  return { type: 'raise_limit', max_cost_usd: Number(text) };
}

function whyNoObject(text: string): string | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? undefined : 'It is a JSON object.';
  } catch (error) {
    return (error as Error).message;
  }
}
