/** A step of a model: an operator with the names of its inputs and outputs. */
export interface OnnxNode {
  operator: string;
  inputs: string[];
  outputs: string[];
  /** Attributes in the file's encoding. */
  attributes: Buffer[];
  /** Everything else, in the file's encoding. */
  rest: Buffer[];
}

/** The field numbers of ONNX's messages, and Protocol Buffers' type of a row of bytes. */
const MODEL = { graph: 7 };
const GRAPH = { node: 1, output: 12 };
const NODE = { input: 1, output: 2, operator: 4, attribute: 5 };
const VALUE = { name: 1, type: 2 };
const BYTES = 2;

const ELEMENT_TYPES = { float32: 1, int64: 7 };

/**
 * Changes the steps of a model in ONNX's format: `edit` gets them in order and returns new ones, each after the steps whose output it
 * reads. `outputs` become outputs of the model. Weights are copied unchanged, and unused steps are dropped.
 */
export function editOnnx(
  model: Buffer,
  {
    edit = (nodes) => nodes,
    outputs,
  }: { edit?: (nodes: OnnxNode[]) => OnnxNode[]; outputs: Record<string, keyof typeof ELEMENT_TYPES> },
): Buffer {
  const fields = fieldsOf(model);
  const graph = fieldsOf(fields.find(({ number }) => number === MODEL.graph)!.content);
  const nodes = edit(graph.filter(({ number }) => number === GRAPH.node).map(({ content }) => readNode(content)));
  const kept = graph.filter(({ number }) => number !== GRAPH.node);
  const added = Object.entries(outputs);
  const names = kept.filter(({ number }) => number === GRAPH.output).map(({ content }) => nameOf(content));
  const needed = needs(nodes, [...names, ...added.map(([name]) => name)]);
  const changed = Buffer.concat([
    ...needed.map((node) => encoded(GRAPH.node, writeNode(node))),
    ...kept.map(({ whole }) => whole),
    ...added.map(([name, type]) => encoded(GRAPH.output, valueOf(name, ELEMENT_TYPES[type]))),
  ]);
  const others = fields.filter(({ number }) => number !== MODEL.graph).map(({ whole }) => whole);
  return Buffer.concat([...others, encoded(MODEL.graph, changed)]);
}

/** A new step with the attributes of another step. */
export function step(operator: string, inputs: string[], outputs: string[], attributes: Buffer[] = []): OnnxNode {
  return { operator, inputs, outputs, attributes, rest: [] };
}

/** The steps that a model's outputs depend on, in their order. */
function needs(nodes: OnnxNode[], outputs: string[]): OnnxNode[] {
  const wanted = new Set(outputs);
  return nodes
    .toReversed()
    .filter((node) => {
      const isNeeded = node.outputs.some((name) => wanted.has(name));
      if (isNeeded) for (const name of node.inputs) wanted.add(name);
      return isNeeded;
    })
    .toReversed();
}

interface Field {
  number: number;
  content: Buffer;
  /** Includes its number and length. */
  whole: Buffer;
}

function fieldsOf(message: Buffer): Field[] {
  const fields: Field[] = [];
  let at = 0;
  const varint = (): number => {
    let value = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = message[at++]!;
      value += (byte & 127) * scale;
      if (byte < 128) return value;
    }
  };
  while (at < message.length) {
    const start = at;
    const tag = varint();
    const sizes: Record<number, () => number> = { 1: () => 8, 2: varint, 5: () => 4 };
    const isVarint = (tag & 7) === 0;
    if (isVarint) varint();
    const length = isVarint ? 0 : sizes[tag & 7]!();
    fields.push({
      number: tag >>> 3,
      content: message.subarray(at, at + length),
      whole: message.subarray(start, at + length),
    });
    at += length;
  }
  return fields;
}

function readNode(message: Buffer): OnnxNode {
  const fields = fieldsOf(message);
  const texts = (wanted: number) =>
    fields.filter(({ number }) => number === wanted).map(({ content }) => content.toString());
  const known: number[] = Object.values(NODE);
  return {
    operator: texts(NODE.operator)[0]!,
    inputs: texts(NODE.input),
    outputs: texts(NODE.output),
    attributes: fields.filter(({ number }) => number === NODE.attribute).map(({ content }) => content),
    rest: fields.filter(({ number }) => !known.includes(number)).map(({ whole }) => whole),
  };
}

function writeNode({ operator, inputs, outputs, attributes, rest }: OnnxNode): Buffer {
  return Buffer.concat([
    ...inputs.map((name) => encoded(NODE.input, Buffer.from(name))),
    ...outputs.map((name) => encoded(NODE.output, Buffer.from(name))),
    encoded(NODE.operator, Buffer.from(operator)),
    ...attributes.map((content) => encoded(NODE.attribute, content)),
    ...rest,
  ]);
}

/** A tensor of any shape. */
function valueOf(name: string, elementType: number): Buffer {
  const tensor = Buffer.from([1 << 3, elementType]);
  return Buffer.concat([encoded(VALUE.name, Buffer.from(name)), encoded(VALUE.type, encoded(1, tensor))]);
}

const nameOf = (value: Buffer): string =>
  fieldsOf(value)
    .find(({ number }) => number === VALUE.name)!
    .content.toString();

function encoded(field: number, content: Buffer): Buffer {
  return Buffer.concat([varintOf(field * 8 + BYTES), varintOf(content.length), content]);
}

function varintOf(value: number): Buffer {
  const bytes: number[] = [];
  let rest = value;
  for (; rest > 127; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128);
  return Buffer.from([...bytes, rest]);
}
