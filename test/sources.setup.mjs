import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';
import { transformSync } from '@swc/core';

const GLOBALS = new URL('./jest-globals.mjs', import.meta.url).href;
const { jsc, module } = JSON.parse(readFileSync(new URL('../.swcrc', import.meta.url), 'utf8'));

const compiled = (file) =>
  transformSync(readFileSync(file, 'utf8'), { filename: file, jsc, module, sourceMaps: 'inline', swcrc: false }).code;

/**
 * Specs run in plain Node and not in Jest's own module registry: a worker compiles and loads each source once, and not
 * again for each spec that imports it.
 */
registerHooks({
  resolve(specifier, context, next) {
    if (specifier === '@jest/globals') return { url: GLOBALS, shortCircuit: true };
    const isOwn = specifier.startsWith('.') && /\.ts(\?|$)/.test(context.parentURL ?? '');
    return next(isOwn ? specifier.replace(/\.js$/, '.ts') : specifier, context);
  },
  load(url, context, next) {
    if (!/\.ts(\?|$)/.test(url)) return next(url, context);
    return { format: 'module', source: compiled(fileURLToPath(url)), shortCircuit: true };
  },
});
process.setSourceMapsEnabled(true);
