import react from '@vitejs/plugin-react';
import { defineConfig, loadEnv, type Plugin } from 'vite';
import { leaveOutUnusedStyles } from './unusedStyles.ts';

/** The API that `vite dev` forwards to. */
const api = loadEnv('', import.meta.dirname, 'LEDGERLINE_').LEDGERLINE_URL ?? 'http://127.0.0.1:4000';

// The API answers the console at its own address only.
const forwarded = { target: api, changeOrigin: true, headers: { origin: api } };

// The API fills in the frame of the document; `vite dev` has none.
const emptyFrame: Plugin = {
  name: 'empty-frame',
  apply: 'serve',
  transformIndexHtml: (html) => html.replace('__PAGE_TITLE__', '').replace('__FRAME__', 'is-front'),
};

// What most pages share is one file: each small file of its own costs a request and almost a kilobyte of headers. With a lower count the
// first page loads what it does not need.
const SHARED = {
  name: 'shared',
  test: /console\/src\/(parts|api)\/|@mantine\/(core|hooks)|react-icons/,
  minShareCount: 47,
};

// Small files that the first page needs, and many others, together: their headers would be larger than they are.
const SMALL = {
  name: 'small',
  test: /console\/src\/.*\/(pageAt|Status|StatusBadge|Headline|Panel|Change|units)\.tsx?$/,
};

// The document has the shared styles behind its frame, in the body: styles of a page that came into the head would stand before them,
// and lose against each rule of the component set.
const pageStylesLast: Plugin = {
  name: 'page-styles-last',
  apply: 'build',
  transform: {
    filter: { id: /vite\/preload-helper/ },
    handler(code) {
      const changed = code.replace('document.head.appendChild(link)', 'document.body.appendChild(link)');
      if (changed === code) throw new Error('vite loads styles in another way: pageStylesLast no longer fits');
      return changed;
    },
  },
};

export default defineConfig({
  plugins: [react(), leaveOutUnusedStyles(), pageStylesLast, emptyFrame],
  // The API replaces this by a nonce of its own in each answer: see the policy of the pages.
  html: { cspNonce: '__CSP_NONCE__' },
  build: {
    // The first versions that have light-dark() of their own.
    target: ['chrome123', 'edge123', 'firefox120', 'safari17.5'],
    sourcemap: false,
    // Inlined files would be data: addresses, which the policy refuses.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: { output: { codeSplitting: { groups: [SHARED, SMALL] } } },
  },
  server: {
    proxy: {
      '/console': { ...forwarded, ws: true },
      '/openapi.json': api,
      '/payments': api,
      '/v1': api,
      '/textapi': { target: api, ws: true },
    },
  },
});
