import { runBounded } from '../boundedProcess.ts';

/** An SVG picture as PNG, twice as wide and high. Throws DocumentError when it cannot be made, the signal's reason when that is aborted. */
export const pngOf = (svg: string, signal: AbortSignal): Promise<Buffer> =>
  runBounded({
    script: 'chart/pictureMain.ts',
    args: [],
    input: Buffer.from(svg),
    packages: ['@resvg/resvg-wasm'],
    failureText: 'The picture could not be made: it needs too much time or memory.',
    signal,
  });
