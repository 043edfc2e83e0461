/** The module as it has been built, which is what a thread can run, also where jest runs the sources. */
export const compiled = (module: URL): URL =>
  new URL(module.href.replace(/(?<!\/dist)\/(libs|apps)\/(?!.*\/(?:libs|apps)\/)/, '/dist/$1/'));
