/** A text of a run, cut by a limit of the model or of the money, that the next model step continues. */
export interface CutText {
  /** Its item in the run's events. */
  itemId: string;
  text: string;
}

/** The text-related fields of a step. */
interface WritingStep {
  id: string;
  attempt: number;
  kind: string;
  result: object | null;
}

/** The text-related fields of a model step's result. */
interface Written {
  text: string;
  toolCalls: unknown[];
  outcome: string;
}

/** The item that a step begins. Each attempt has its own id, because a retry writes its text from the beginning. */
export const itemIdOf = ({ id, attempt }: Pick<WritingStep, 'id' | 'attempt'>): string =>
  id.replace(/^step_/, 'item_') + (attempt === 1 ? '' : `r${attempt.toString(36)}`);

/** The text that these steps of a run, in order, have left cut: undefined when the next one begins a new text. */
export function cutTextIn(steps: WritingStep[]): CutText | undefined {
  const cut = steps.slice(steps.findLastIndex((step) => !isCut(step)) + 1);
  const first = cut.find((step) => textOf(step) !== '');
  return first && { itemId: itemIdOf(first), text: cut.map(textOf).join('') };
}

/** Whether the next step continues this one's text. */
export function isCut({ kind, result }: Pick<WritingStep, 'kind' | 'result'>): boolean {
  if (kind !== 'model' || !result) return false;
  const { outcome, toolCalls } = result as Written;
  return (outcome === 'length' || outcome === 'limit') && toolCalls.length === 0;
}

const textOf = ({ result }: WritingStep): string => (result as Written).text;

/** The items that a step adds to a run's output: they replace the last `replaced` items, which are parts of them. */
export interface AddedOutput {
  items: object[];
  replaced: 0 | 1;
}

/** SQL: a run's output with such items, by the parameters of their JSON and of the number of replaced items. */
export const outputWith = (items: string, replaced: string): string =>
  `case when ${replaced}::int > 0 then output - -1 else output end || ${items}::jsonb`;

/** The output of a step that continues the run's last text. */
export function goingOn(before: object[], added: object[]): AddedOutput {
  const [last, first] = [before.at(-1), added[0]];
  if (!isText(last) || !isText(first)) return { items: added, replaced: 0 };
  return { items: [{ ...last, text: last.text + first.text }, ...added.slice(1)], replaced: 1 };
}

const isText = (item: object | undefined): item is { type: 'output_text'; text: string } =>
  item !== undefined && 'type' in item && item.type === 'output_text';
