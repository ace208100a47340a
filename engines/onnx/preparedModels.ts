import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { floatConvolutions } from './floatConvolutions.ts';
import { editOnnx } from './onnxGraph.ts';

/** A voice's model in its engine's folder, changed once, after fetching. */
export const VOICE_FILE = 'voice.onnx';

/** The frames of each sound: the models compute them, but the published models do not output them. */
export const KOKORO_FRAMES = '/encoder/Cast_output_0';
export const PIPER_FRAMES = '/Ceil_output_0';

/** Kokoro with its convolutions as floats and its frames as an output. */
export function prepareKokoro(folder: string): Promise<void> {
  return replace(folder, 'kokoro-v1.0.int8.onnx', { edit: floatConvolutions, outputs: { [KOKORO_FRAMES]: 'int64' } });
}

/** Piper's voice with its frames as an output. */
export function preparePiper(folder: string): Promise<void> {
  return replace(folder, 'en_US-joe-medium.onnx', { outputs: { [PIPER_FRAMES]: 'float32' } });
}

async function replace(folder: string, published: string, change: Parameters<typeof editOnnx>[1]): Promise<void> {
  await writeFile(join(folder, VOICE_FILE), editOnnx(await readFile(join(folder, published)), change));
  await rm(join(folder, published));
}
