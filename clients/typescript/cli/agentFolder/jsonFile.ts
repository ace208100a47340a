import {
  findNodeAtLocation,
  getNodeValue,
  parseTree,
  printParseErrorCode,
  type Node,
  type ParseError,
} from 'jsonc-parser';
import { FolderFault, type Place } from './fault.ts';

/** The steps from the root of a JSON value to a part of it. */
export type Path = (string | number)[];

/** A JSON file: its value, and where in its text each part of it is. */
export class JsonFile {
  readonly name: string;
  readonly value: unknown;
  readonly #text: string;
  readonly #root: Node;

  /** Throws a `FolderFault` for a text that is no JSON. */
  constructor(name: string, text: string) {
    const errors: ParseError[] = [];
    const root = parseTree(text, errors, { disallowComments: true });
    const [first] = errors;
    if (first || !root) {
      const what = first ? wordsOf(printParseErrorCode(first.error)) : 'is empty';
      throw new FolderFault({ place: placeAt(name, text, first?.offset ?? 0), message: `This is no JSON: ${what}.` });
    }
    this.name = name;
    this.#text = text;
    this.#root = root;
    this.value = getNodeValue(root);
  }

  /** Where a part is; for a part that is missing, where the nearest part around it is. A member is where its name is. */
  placeOf(path: Path): Place {
    for (let length = path.length; length > 0; length -= 1) {
      const node = this.#nodeAt(path.slice(0, length));
      if (node) return placeAt(this.name, this.#text, (node.parent?.type === 'property' ? node.parent : node).offset);
    }
    return placeAt(this.name, this.#text, this.#root.offset);
  }

  /** Steps of a list may come as texts. */
  #nodeAt(path: Path): Node | undefined {
    let node: Node | undefined = this.#root;
    for (const step of path) {
      if (!node) return undefined;
      node = findNodeAtLocation(node, [node.type === 'array' ? Number(step) : String(step)]);
    }
    return node;
  }
}

/** `CommaExpected` as `comma expected`. */
const wordsOf = (code: string): string => code.replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase();

function placeAt(file: string, text: string, offset: number): Place {
  const before = text.slice(0, offset).split('\n');
  return { file, line: before.length, column: before.at(-1)!.length + 1 };
}
