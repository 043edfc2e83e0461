import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const readme = readFileSync(join(ROOT, 'libs/client/README.md'), 'utf8');

/** Declares the values that the README expects its reader to have, and those that its first lines create. */
const READER = `
import type * as api from '@creator-protection/client';
import type * as webhooks from '@creator-protection/client/webhooks';
declare global {
  const client: api.CreatorProtection;
  const isApiError: typeof api.isApiError;
  const isKnownEvent: typeof api.isKnownEvent;
  const CreatorProtectionError: typeof api.CreatorProtectionError;
  const verifyWebhook: typeof webhooks.verifyWebhook;
  const pipeline: typeof import('node:stream/promises').pipeline;
  const createWriteStream: typeof import('node:fs').createWriteStream;
  const signal: AbortSignal;
  const [creatorId, caseId]: [string, string];
  const enrollment: api.EnrollCreatorBody;
  const job: { readonly id: number };
  const body: ArrayBuffer;
  const headers: Headers;
  const secrets: readonly string[];
  const [loadCursor, saveCursor]: [() => Promise<string | null>, (cursor: string | undefined) => Promise<void>];
  const store: (items: readonly api.Case[], cursor: string | null) => void;
  const showFindings: (id: string) => Promise<void>;
  const waitFor: (id: string) => Promise<void>;
  const later: (work: () => PromiseLike<unknown>) => Promise<void>;
}
`;

test('every code in TypeScript of the README compiles in the strictest mode (D117)', () => {
  const folder = mkdtempSync(join(tmpdir(), 'client-readme-'));
  try {
    const blocks = [...readme.matchAll(/```ts\n(.*?)```/gs)].map(([, code = '']) => code);
    expect(blocks.length).toBeGreaterThan(8);
    for (const [n, code] of blocks.entries())
      writeFileSync(join(folder, `block-${n + 1}.mts`), `${code}\nexport {};\n`);
    writeFileSync(join(folder, 'reader.d.mts'), READER);
    const source = (file: string) => [join(ROOT, 'libs/client/src', file)];
    const options = {
      extends: join(ROOT, 'tsconfig.json'),
      compilerOptions: {
        rootDir: '/',
        typeRoots: [join(ROOT, 'node_modules/@types')],
        noUnusedLocals: false,
        paths: {
          '@creator-protection/client': source('index.ts'),
          '@creator-protection/client/webhooks': source('webhooks.ts'),
        },
      },
      include: ['*.mts'],
    };
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(options));
    const tsc = join(ROOT, 'node_modules/typescript/bin/tsc');
    const env = { ...process.env, NODE_OPTIONS: '' };
    const { stdout } = spawnSync(process.execPath, [tsc, '--project', folder], { env, encoding: 'utf8' });
    expect(stdout).toBe('');
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('no link leads out of the README, which is all that the package has of the documentation', () => {
  expect(readme.match(/\]\((?!#)[^)]*\)/g)).toBeNull();
});
