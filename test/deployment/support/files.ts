import { readdirSync } from 'node:fs';
import { join } from 'node:path';

/** The paths of all files below a folder, from the project's root. */
export const filesBelow = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
