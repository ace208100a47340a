import { step, type OnnxNode } from './onnxGraph.ts';

/**
 * Convolutions of whole numbers as convolutions of floats, with the same weights: the runtime computes them in half the time. A model that
 * was quantised on the fly has for each one `ConvInteger [-> Add of the bias] -> Cast -> Mul by the scales`.
 */
export function floatConvolutions(nodes: OnnxNode[]): OnnxNode[] {
  const makers = new Map(nodes.flatMap((node) => node.outputs.map((name): [string, OnnxNode] => [name, node])));
  const readers = new Map(nodes.flatMap((node) => node.inputs.map((name): [string, OnnxNode] => [name, node])));
  const replaced = new Map(
    nodes.filter(({ operator }) => operator === 'ConvInteger').map((node) => floatConvolution(node, makers, readers)),
  );
  return nodes.flatMap((node) => replaced.get(node) ?? [node]);
}

/** The last step of a convolution, and its replacement. */
function floatConvolution(
  node: OnnxNode,
  makers: Map<string, OnnxNode>,
  readers: Map<string, OnnxNode>,
): [OnnxNode, OnnxNode[]] {
  const [input, weights, , zeroPoint] = node.inputs as [string, string, string, string];
  let next = readers.get(node.outputs[0]!)!;
  let bias: string | undefined;
  if (next.operator === 'Add') {
    bias = biasOf(
      next.inputs.find((name) => name !== node.outputs[0])!,
      makers,
    );
    next = readers.get(next.outputs[0]!)!;
  }
  const scaled = readers.get(next.outputs[0]!)!;
  const scales = makers.get(scaled.inputs.find((name) => name !== next.outputs[0])!)!;
  // One of the two scales is computed from the sound, the other belongs to the weights.
  const weightScale = scales.inputs.find((name) => !makers.has(name))!;
  const floats = `${node.outputs[0]}:weights`;
  const quantised = makers.get(input)!;
  return [
    scaled,
    [
      step('DequantizeLinear', [weights, weightScale, zeroPoint], [floats]),
      step('Conv', [quantised.inputs[0]!, floats, ...(bias ? [bias] : [])], scaled.outputs, node.attributes),
    ],
  ];
}

/** The bias before its division by the scales. */
function biasOf(name: string, makers: Map<string, OnnxNode>): string {
  const maker = makers.get(name)!;
  return maker.operator === 'Div' ? maker.inputs[0]! : biasOf(maker.inputs[0]!, makers);
}
