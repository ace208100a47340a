import { join } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { loadOnnx, type Tensor } from '../onnx/onnx.ts';
import { handleInTurn } from '../onnx/onnxThread.ts';
import type { FrameAnswer, FrameMessage } from './sileroThread.ts';

/** A thread that detects speech in frames of many streams, one frame after the other. */
const RATE = 16_000n;
const CONTEXT_SAMPLES = 64;
const STATE_SHAPE = [2, 1, 128];

/** The model's memory of a stream: its state, and the end of the last frame. */
interface Stream {
  state: Tensor;
  context: Float32Array;
}

const port = parentPort!;
const { runtime, model } = workerData as { runtime: string; model: string };
const streams = new Map<number, Stream>();
const ready = load();

handleInTurn(port, handle);

async function load() {
  const onnx = loadOnnx(runtime);
  const session = await onnx.InferenceSession.create(join(model, 'silero_vad.onnx'), { intraOpNumThreads: 1 });
  const rate = new onnx.Tensor('int64', BigInt64Array.of(RATE), []);
  return { onnx, session, rate };
}

async function handle({ stream, frame }: FrameMessage): Promise<void> {
  if (!frame) return void streams.delete(stream);
  const answer = await probabilityOf(stream, frame).catch((error: unknown): FrameAnswer => ({ error: String(error) }));
  port.postMessage(answer, []);
}

async function probabilityOf(stream: number, frame: Float32Array): Promise<FrameAnswer> {
  const { onnx, session, rate } = await ready;
  const known = streams.get(stream);
  const state = known?.state ?? new onnx.Tensor('float32', new Float32Array(256), STATE_SHAPE);
  const input = new Float32Array(CONTEXT_SAMPLES + frame.length);
  input.set(known?.context ?? []);
  input.set(frame, CONTEXT_SAMPLES);
  const result = await session.run({
    input: new onnx.Tensor('float32', input, [1, input.length]),
    state,
    sr: rate,
  });
  streams.set(stream, { state: result.stateN!, context: frame.slice(-CONTEXT_SAMPLES) });
  return { probability: (result.output!.data as Float32Array)[0]! };
}
