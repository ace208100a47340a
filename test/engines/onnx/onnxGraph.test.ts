import { expect, test } from '@jest/globals';
import { floatConvolutions } from '../../../engines/onnx/floatConvolutions.ts';
import { editOnnx, step, type OnnxNode } from '../../../engines/onnx/onnxGraph.ts';

const field = (number: number, content: string | Buffer) => {
  const bytes = Buffer.from(content);
  const length = bytes.length < 128 ? [bytes.length] : [(bytes.length % 128) + 128, Math.floor(bytes.length / 128)];
  return Buffer.concat([Buffer.from([number * 8 + 2, ...length]), bytes]);
};
const node = (operator: string, inputs: string[], outputs: string[]) =>
  field(
    1,
    Buffer.concat([
      ...inputs.map((name) => field(1, name)),
      ...outputs.map((name) => field(2, name)),
      field(4, operator),
    ]),
  );
const output = (name: string) => field(12, field(1, name));
/** A model's version, its graph with one large weight, and its producer. */
const modelOf = (...graph: Buffer[]) =>
  Buffer.concat([
    Buffer.from([8, 9]),
    field(7, Buffer.concat([...graph, field(5, 'weight'.repeat(30))])),
    field(2, 'us'),
  ]);

/** The steps of a model as they are written in it. */
function stepsOf(model: Buffer): OnnxNode[] {
  let seen: OnnxNode[] = [];
  editOnnx(model, { edit: (nodes) => (seen = nodes), outputs: {} });
  return seen;
}
const shown = (nodes: OnnxNode[]) =>
  nodes.map(({ operator, inputs, outputs }) => `${operator} ${inputs.join(',')} ${outputs.join(',')}`);

test('a step inside a model becomes its output; the rest stays, and what nothing needs is left out', () => {
  const model = modelOf(
    node('Ceil', ['x'], ['inner']),
    node('Mul', ['inner', 'w'], ['y']),
    node('Sin', ['x'], ['unused']),
    output('y'),
  );
  const edited = editOnnx(model, { outputs: { inner: 'float32' } });
  expect(shown(stepsOf(edited))).toEqual(['Ceil x inner', 'Mul inner,w y']);
  expect(edited.includes('weight'.repeat(30))).toBe(true);
  expect(edited.includes(field(1, 'inner'))).toBe(true);
  expect(edited.subarray(0, 2)).toEqual(Buffer.from([8, 9]));
});

test('a convolution of whole numbers becomes one of floats, with its bias', () => {
  const quantise = step('DynamicQuantizeLinear', ['sound'], ['q', 'scale', 'zero']);
  const padding = Buffer.from('pads');
  const convolution = step('ConvInteger', ['q', 'w8', 'zero', 'wzero'], ['c'], [padding]);
  const nodes = [
    quantise,
    step('Mul', ['scale', 'wscale'], ['scales']),
    step('Div', ['bias', 'scales'], ['b1']),
    step('Floor', ['b1'], ['b2']),
    convolution,
    step('Add', ['c', 'b2'], ['c2']),
    step('Cast', ['c2'], ['c3']),
    step('Mul', ['c3', 'scales'], ['y']),
  ];
  const changed = floatConvolutions(nodes);
  expect(shown(changed.slice(-2))).toEqual([
    'DequantizeLinear w8,wscale,wzero c:weights',
    'Conv sound,c:weights,bias y',
  ]);
  expect(changed.at(-1)!.attributes).toEqual([padding]);
});
