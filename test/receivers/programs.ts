import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { transformSync } from '@swc/core';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const LIBS = ['express', 'fastify', 'reflect-metadata', '@nestjs'];

/** The toolchain of each language that is not our own. */
const TOOLS: Readonly<Record<string, readonly [string, string]>> = {
  python: ['python3', '--version'],
  go: ['go', 'version'],
  java: ['java', '-version'],
  php: ['php', '--version'],
};

export const isInstalled = (language: string): boolean => {
  const [command, argument] = TOOLS[language] ?? [];
  return command === undefined || spawnSync(command, [argument ?? '']).status === 0;
};

/**
 * Whether `npm test` runs receivers in the language. Go first compiles its standard library, which can take a minute of
 * both cores: `test/receivers/languages/run` asks for it.
 */
export const isTried = (language: string): boolean =>
  language === 'go' ? process.env.RECEIVER_GO !== undefined : isInstalled(language);

/** The code below a heading of docs/webhooks.md, as somebody would copy it. */
export const snippet = async (heading: string, language: string): Promise<string> => {
  const page = await readFile(join(ROOT, 'docs/webhooks.md'), 'utf8');
  const [section = ''] = page.split(/^### /m).filter((part) => part.startsWith(`${heading}\n`));
  const [, code] = new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\``, 'ms').exec(section) ?? [];
  if (code === undefined) throw new Error(`docs/webhooks.md shows no ${language} below ${heading}`);
  return code;
};

export interface Program {
  readonly directory: string;
  readonly command: readonly [string, ...string[]];
}

/** The code in an empty project, with what it needs. */
export const programFor = async (language: string, code: string): Promise<Program> => {
  const directory = await mkdtemp(join(tmpdir(), 'receiver-'));
  if (language === 'python') {
    await writeFile(join(directory, 'receiver.py'), code);
    return { directory, command: ['python3', 'receiver.py'] };
  }
  if (language === 'go') {
    await writeFile(join(directory, 'receiver.go'), code);
    execFileSync('go', ['build', '-o', 'receiver', 'receiver.go'], { cwd: directory });
    return { directory, command: [join(directory, 'receiver')] };
  }
  await writeFile(join(directory, 'receiver.mjs'), language === 'ts' ? compiled(code) : code);
  installInto(join(directory, 'node_modules'));
  return { directory, command: [process.execPath, 'receiver.mjs'] };
};

const compiled = (code: string): string => {
  const parser = { syntax: 'typescript', decorators: true } as const;
  const transform = { legacyDecorator: true, decoratorMetadata: true };
  return transformSync(code, {
    jsc: { target: 'es2024', parser, transform },
    module: { type: 'nodenext' },
    swcrc: false,
  }).code;
};

/** The package as it is published, and those that a reader installs with npm. */
const installInto = (modules: string): void => {
  mkdirSync(join(modules, '@creator-protection'), { recursive: true });
  cpSync(publishedClient(), join(modules, '@creator-protection/client'), { recursive: true });
  for (const name of LIBS) symlinkSync(join(ROOT, 'node_modules', name), join(modules, name));
};

let published: string | undefined;

/** Compiled once for all programs of a spec, which removes it at its end. */
const publishedClient = (): string => {
  if (published === undefined) {
    const project = join(ROOT, 'libs/client');
    const directory = mkdtempSync(join(tmpdir(), 'published-client-'));
    cpSync(join(project, 'package.json'), join(directory, 'package.json'));
    execFileSync(join(ROOT, 'node_modules/.bin/tsc'), ['--project', project, '--outDir', join(directory, 'dist')]);
    published = directory;
  }
  return published;
};

export const removePublishedClient = (): void => {
  if (published !== undefined) rmSync(published, { recursive: true });
  published = undefined;
};
