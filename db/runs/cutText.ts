/** A text of a run that a limit of the model or of the money has cut, and that its next model step goes on with. */
export interface CutText {
  /** The item of the run's events that it is. */
  itemId: string;
  text: string;
}

/** A step as far as its text is concerned. */
interface WritingStep {
  id: string;
  attempt: number;
  kind: string;
  result: object | null;
}

/** The result of a step of a model, as far as its text is concerned. */
interface Written {
  text: string;
  toolCalls: unknown[];
  outcome: string;
}

/** The item that a step begins. One id for each attempt, because a retry writes its text from the beginning. */
export const itemIdOf = ({ id, attempt }: Pick<WritingStep, 'id' | 'attempt'>): string =>
  id.replace(/^step_/, 'item_') + (attempt === 1 ? '' : `r${attempt.toString(36)}`);

/** The text that these steps of a run, in order, have left cut: undefined when the next one begins a text of its own. */
export function cutTextIn(steps: WritingStep[]): CutText | undefined {
  const cut = steps.slice(steps.findLastIndex((step) => !isCut(step)) + 1);
  const first = cut.find((step) => textOf(step) !== '');
  return first && { itemId: itemIdOf(first), text: cut.map(textOf).join('') };
}

/** Whether the next step goes on with this one's text. */
export function isCut({ kind, result }: Pick<WritingStep, 'kind' | 'result'>): boolean {
  if (kind !== 'model' || !result) return false;
  const { outcome, toolCalls } = result as Written;
  return (outcome === 'length' || outcome === 'limit') && toolCalls.length === 0;
}

const textOf = ({ result }: WritingStep): string => (result as Written).text;

/** The items that a step adds to a run's output: `replaced` of the last ones are parts of them. */
export interface AddedOutput {
  items: object[];
  replaced: 0 | 1;
}

/** SQL: a run's output with such items, by the parameters of their JSON and of the number that they replace. */
export const outputWith = (items: string, replaced: string): string =>
  `case when ${replaced}::int > 0 then output - -1 else output end || ${items}::jsonb`;

/** The output of a step whose text goes on with the last one of the run. */
export function goingOn(before: object[], added: object[]): AddedOutput {
  const [last, first] = [before.at(-1), added[0]];
  if (!isText(last) || !isText(first)) return { items: added, replaced: 0 };
  return { items: [{ ...last, text: last.text + first.text }, ...added.slice(1)], replaced: 1 };
}

const isText = (item: object | undefined): item is { type: 'output_text'; text: string } =>
  item !== undefined && 'type' in item && item.type === 'output_text';
