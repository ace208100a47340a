import type { ReactNode } from 'react';

export type Drawing = 'rows' | 'chart' | 'key' | 'talk' | 'run' | 'files' | 'money' | 'signal' | 'people';

const frame = (children: ReactNode) => (
  <svg className="empty-drawing" viewBox="0 0 136 88" fill="none" aria-hidden="true">
    <rect className="drawing-back" x="14" y="10" width="108" height="68" rx="8" />
    {children}
  </svg>
);

/** Small drawings of what a page will show, in the design's own lines: see `parts.css`. */
export const drawings: Record<Drawing, ReactNode> = {
  rows: frame(
    <>
      <path className="drawing-line" d="M26 28h30M26 44h42M26 60h24" />
      <path className="drawing-dim" d="M92 28h18M86 44h24M98 60h12" />
      <circle className="drawing-dot" cx="80" cy="28" r="3" />
    </>,
  ),
  chart: frame(
    <>
      <path className="drawing-dim" d="M26 62h84M26 46h84M26 30h84" />
      <path className="drawing-accent" d="M26 58c12 0 14-14 26-14s14 8 26 8 16-26 32-28" />
      <circle className="drawing-dot" cx="110" cy="24" r="3.5" />
    </>,
  ),
  key: frame(
    <>
      <circle className="drawing-accent" cx="50" cy="44" r="12" />
      <path className="drawing-accent" d="M62 44h40m-8 0v9m-12-9v7" />
      <circle className="drawing-dot" cx="50" cy="44" r="3" />
    </>,
  ),
  talk: frame(
    <>
      <path className="drawing-line" d="M28 26h46a4 4 0 0 1 4 4v8a4 4 0 0 1-4 4H40l-8 7v-7h-4z" />
      <path
        className="drawing-accent"
        d="M108 46H70a4 4 0 0 0-4 4v8a4 4 0 0 0 4 4h28l8 6v-6h2a4 4 0 0 0 4-4v-8a4 4 0 0 0-4-4z"
      />
    </>,
  ),
  run: frame(
    <>
      <path className="drawing-line" d="M26 28h26M40 44h30" />
      <path className="drawing-accent" d="M64 60h36" />
      <path className="drawing-dim" d="M56 28h50M74 44h32" />
      <circle className="drawing-dot" cx="106" cy="60" r="3.5" />
    </>,
  ),
  files: frame(
    <>
      <path className="drawing-line" d="M32 26h16l5 6h24v32H32z" />
      <path className="drawing-accent" d="M84 30h14l8 8v26H84zM98 30v8h8" />
    </>,
  ),
  money: frame(
    <>
      <rect className="drawing-line" x="28" y="26" width="80" height="36" rx="5" />
      <path className="drawing-dim" d="M28 36h80" />
      <path className="drawing-accent" d="M38 52h18" />
      <circle className="drawing-dot" cx="96" cy="52" r="3.5" />
    </>,
  ),
  signal: frame(
    <>
      <circle className="drawing-dot" cx="44" cy="44" r="4" />
      <path className="drawing-accent" d="M54 34a14 14 0 0 1 0 20" />
      <path className="drawing-line" d="M62 27a24 24 0 0 1 0 34" />
      <path className="drawing-dim" d="M70 20a34 34 0 0 1 0 48M88 44h20" />
    </>,
  ),
  people: frame(
    <>
      <circle className="drawing-accent" cx="54" cy="36" r="8" />
      <path className="drawing-accent" d="M38 64c1-11 8-16 16-16s15 5 16 16" />
      <circle className="drawing-line" cx="86" cy="38" r="6" />
      <path className="drawing-line" d="M78 50c9-4 20 1 21 14" />
    </>,
  ),
};
