import { createRequire } from 'node:module';
import { join } from 'node:path';

/** Numbers with a shape. */
export interface Tensor {
  data: Float32Array | BigInt64Array;
  dims: readonly number[];
}

interface Session {
  run(inputs: Record<string, Tensor>): Promise<Record<string, Tensor>>;
}

interface SessionOptions {
  intraOpNumThreads: number;
  /** 3 logs only errors. */
  logSeverityLevel?: number;
  extra?: Record<string, Record<string, string>>;
}

/** The part of onnxruntime that the engines use. */
export interface Onnx {
  Tensor: new (type: 'float32' | 'int64', data: Float32Array | BigInt64Array, shape: readonly number[]) => Tensor;
  InferenceSession: {
    /** From a file, or from its content. */
    create(model: string | Uint8Array, options: SessionOptions): Promise<Session>;
  };
}

/** onnxruntime from its fetched folder: it is no dependency of the service. A run blocks its thread. */
export function loadOnnx(folder: string): Onnx {
  return createRequire(join(folder, 'index.js'))('onnxruntime-node') as Onnx;
}
