import { jest } from '@jest/globals';
import { productGlobal } from './productRealm.ts';

/** Makes the product's timers of one length shorter or longer, until the mocks are restored. */
export function retime({ fromMs, toMs }: { fromMs: number; toMs: number }): void {
  for (const kind of ['setTimeout', 'setInterval'] as const) {
    const original = productGlobal[kind];
    const retimed = (callback: () => void, ms?: number, ...args: []) =>
      original(callback, ms === fromMs ? toMs : ms, ...args);
    jest.spyOn(productGlobal, kind).mockImplementation(retimed);
  }
}
