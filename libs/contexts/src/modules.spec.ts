import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import type { Type } from '@nestjs/common';
import type { ContextDefinition } from '#kernel';
import { CONTEXTS } from './index.js';

const ROOT = join(import.meta.dirname, '../../..');

/** Where Nest's decorators note on a class what it is; their packages do not export all of these names. */
const HANDLER_KEYS = ['__commandHandler__', '__queryHandler__'];
const CONTROLLER_KEYS = ['__controller__'];

const exportsOf = async (file: string): Promise<readonly unknown[]> =>
  Object.values((await import(join(ROOT, file))) as object);

interface Decorated {
  readonly file: string;
  readonly classes: readonly Type[];
}

/** The exported classes with such a decorator, of the sources in which it is written. */
const decorated = (sources: string, decorator: RegExp, keys: readonly string[]): Promise<readonly Decorated[]> => {
  const files = globSync(sources, { cwd: ROOT }).filter(
    (file) => !/\.(spec|fixtures)\.ts$/.test(file) && decorator.test(readFileSync(join(ROOT, file), 'utf8')),
  );
  const found = files.sort().map(async (file) => {
    const classes = (await exportsOf(file)).filter((value): value is Type => typeof value === 'function');
    return { file, classes: classes.filter((value) => keys.some((key) => Reflect.hasOwnMetadata(key, value))) };
  });
  return Promise.all(found);
};

/** A file whose decorated class is not exported is missing too: no module can list that class. */
const missing = (found: readonly Decorated[], listed: ReadonlySet<unknown>): string[] =>
  found.flatMap(({ file, classes }) =>
    classes.length === 0 ? [file] : classes.filter((one) => !listed.has(one)).map(({ name }) => `${file}: ${name}`),
  );

interface Provided {
  readonly imports?: readonly unknown[];
  readonly controllers?: readonly unknown[];
  readonly providers?: readonly (Type | { readonly provide: unknown })[];
}

/** The declarations of a module file; `forRoot` of a module that needs a list gets an empty one. */
const moduleIn = async (file: string): Promise<Provided & { readonly module: Type }> => {
  const [module] = (await exportsOf(file)) as [Type & { forRoot?: (list: readonly unknown[]) => Provided }];
  const keys = ['imports', 'controllers', 'providers'];
  const declared = Object.fromEntries(keys.map((key) => [key, Reflect.getMetadata(key, module)])) as Provided;
  return { ...declared, ...module.forRoot?.([]), module };
};

const tokensOf = ({ providers = [] }: Provided): ReadonlySet<unknown> =>
  new Set(providers.map((provider) => ('provide' in provider ? provider.provide : provider)));

const handlers = await decorated('libs/*/src/**/*.ts', /^@(Command|Query)Handler\(/m, HANDLER_KEYS);
const libsWithHandlers = [...new Set(handlers.map(({ file }) => file.split('/')[1] ?? ''))];

it.each(libsWithHandlers)('the module of %s lists each handler that its files export', async (lib) => {
  const tokens = tokensOf(await moduleIn(`libs/${lib}/src/${lib}.module.ts`));
  const ofLib = handlers.filter(({ file }) => file.startsWith(`libs/${lib}/`));
  expect(missing(ofLib, tokens)).toEqual([]);
});

it.each(CONTEXTS)('the module of $name provides what its definition names', async (context: ContextDefinition) => {
  const tokens = tokensOf(await moduleIn(`libs/${context.name}/src/${context.name}.module.ts`));
  const named = [context.reactions, context.consumers].flatMap((byName) => Object.entries(byName));
  expect(named.filter(([, provided]) => !tokens.has(provided)).map(([name]) => name)).toEqual([]);
});

it('imports the module of each context', async () => {
  const { imports = [] } = await moduleIn('libs/contexts/src/contexts.module.ts');
  const modules = CONTEXTS.map(async ({ name }) => (await moduleIn(`libs/${name}/src/${name}.module.ts`)).module);
  expect(new Set(imports)).toEqual(new Set(await Promise.all(modules)));
});

it('the api lists each of its controllers', async () => {
  const { controllers = [] } = await moduleIn('apps/api/src/api.module.ts');
  const found = await decorated('apps/api/src/**/*.ts', /^@Controller\(/m, CONTROLLER_KEYS);
  expect(missing(found, new Set(controllers))).toEqual([]);
  expect(found.length).toBe(controllers.length);
});
