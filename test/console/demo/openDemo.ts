import { startDemo, type DemoOptions } from './demoStage.ts';
import { fillDemo } from './fillDemo.ts';

/** Starts and fills a demonstration. */
export async function openDemo({ calls, ...options }: DemoOptions & { calls: number }) {
  const stage = await startDemo(options);
  try {
    await fillDemo(stage, { calls, print: options.print });
    return { url: stage.url, close: stage.close };
  } catch (error) {
    await stage.close();
    throw error;
  }
}
