import { registerHooks } from 'node:module';
import { pathToFileURL } from 'node:url';

const ROOT = new URL('..', import.meta.url).href;
const SOURCE = new RegExp(`^${RegExp.escape(ROOT)}(?:apps|libs)/(?!.*/testing/).+\\.ts$`);

/** With `TESTED_BUILD`, what the tests of the whole service import of its sources is what was built of them. */
if (process.env.TESTED_BUILD !== undefined) {
  const build = pathToFileURL(`${process.env.TESTED_BUILD}/`);
  registerHooks({
    resolve(specifier, context, next) {
      const resolved = next(specifier, context);
      if (!SOURCE.test(resolved.url)) return resolved;
      const built = resolved.url.slice(ROOT.length).replace(/\.ts$/, '.js');
      return { url: new URL(built, build).href, format: 'module', shortCircuit: true };
    },
  });
}
