import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { defineConfig } from 'vite';

/** The server replaces this text by the nonce of each response. */
const NONCE = '__CSP_NONCE__';
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } };

/** Puts each asset into the build a second and third time, as browsers take it. */
const compressed = {
  name: 'compressed',
  generateBundle(_options, bundle) {
    for (const [fileName, file] of Object.entries(bundle)) {
      if (!/\.(js|css|svg)$/.test(fileName)) continue;
      const content = file.type === 'chunk' ? file.code : file.source;
      this.emitFile({ type: 'asset', fileName: `${fileName}.br`, source: brotliCompressSync(content, BROTLI) });
      this.emitFile({ type: 'asset', fileName: `${fileName}.gz`, source: gzipSync(content, { level: 9 }) });
    }
  },
};

export default defineConfig({
  root: import.meta.dirname,
  base: '/dashboard/',
  html: { cspNonce: NONCE },
  plugins: [compressed],
  build: {
    target: 'es2023',
    // A `data:` address in a style sheet would need a wider Content-Security-Policy.
    assetsInlineLimit: 0,
    emptyOutDir: false,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    chunkSizeWarningLimit: 1_000,
    rolldownOptions: {
      // "use client" is for servers that render React.
      checks: { moduleLevelDirective: false },
      // No library here reads or sets a property for its side effects: without this, 14 kB more are kept.
      treeshake: { propertyReadSideEffects: false, unknownGlobalSideEffects: false },
    },
  },
});
