// Lets plain Node run this repository's sources: `node --experimental-transform-types --import <this>`.
import { registerHooks } from 'node:module';

registerHooks({
  resolve(specifier, context, next) {
    const own = specifier.startsWith('.') && context.parentURL?.endsWith('.ts') === true;
    return next(own ? specifier.replace(/\.js$/, '.ts') : specifier, context);
  },
});
