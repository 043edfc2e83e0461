import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { defineConfig } from 'vite';

/** The server replaces this text by the nonce of each response. */
const NONCE = '__CSP_NONCE__';
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } };

/** Writes each asset a second and third time, as browsers take it. What Vite still changes in a bundle is done then. */
const compressed = {
  name: 'compressed',
  writeBundle({ dir }, bundle) {
    for (const fileName of Object.keys(bundle)) {
      if (!/\.(js|css|svg)$/.test(fileName)) continue;
      const file = join(dir, fileName);
      const content = readFileSync(file);
      writeFileSync(`${file}.br`, brotliCompressSync(content, BROTLI));
      writeFileSync(`${file}.gz`, gzipSync(content, { level: 9 }));
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
    // For .size-limit.mjs.
    manifest: true,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    chunkSizeWarningLimit: 1_000,
    rolldownOptions: {
      // One file holds the code that most pages share: a file for each combination takes 8 kB more, in forty requests.
      output: { codeSplitting: { groups: [{ name: 'shared', minShareCount: 8 }] } },
      // "use client" is for servers that render React.
      checks: { moduleLevelDirective: false },
      // No library here reads or sets a property for its side effects: without this, 14 kB more are kept.
      treeshake: { propertyReadSideEffects: false, unknownGlobalSideEffects: false },
    },
  },
});
