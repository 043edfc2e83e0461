import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The file in which `npm start` leaves its address and key for `npm run demo`; only its owner can read it. */
export interface Demo {
  readonly url: string;
  readonly key: string;
}

const fileIn = (dataDir: string): string => join(dataDir, 'demo.json');

export const writeDemo = (dataDir: string, demo: Demo): void =>
  writeFileSync(fileIn(dataDir), `${JSON.stringify(demo)}\n`, { mode: 0o600 });

export const readDemo = (dataDir: string): Demo => JSON.parse(readFileSync(fileIn(dataDir), 'utf8'));
