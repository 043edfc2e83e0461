import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Where `npm start` left its address and key for `npm run demo`; readable by its owner only. */
export interface Demo {
  readonly url: string;
  readonly key: string;
}

const fileIn = (dataDir: string): string => join(dataDir, 'demo.json');

export const writeDemo = (dataDir: string, demo: Demo): void =>
  writeFileSync(fileIn(dataDir), `${JSON.stringify(demo)}\n`, { mode: 0o600 });

export const readDemo = (dataDir: string): Demo => JSON.parse(readFileSync(fileIn(dataDir), 'utf8'));
