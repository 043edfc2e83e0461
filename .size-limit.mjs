// How much script each page of the dashboard loads, from the manifest of the last build: a page with all that it imports.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const FOLDER = 'dist/apps/dashboard/web';
const manifest = JSON.parse(readFileSync(join(FOLDER, '.vite/manifest.json'), 'utf8'));

const scriptsOf = (...names) => {
  const reached = new Set();
  const visit = (name) => {
    if (reached.has(name)) return;
    reached.add(name);
    for (const imported of manifest[name].imports ?? []) visit(imported);
  };
  for (const name of names) visit(name);
  return [...reached].map((name) => join(FOLDER, manifest[name].file));
};

const pages = Object.keys(manifest).filter((name) => /^[a-z-]+\/[a-z-]*page\.tsx$/.test(name));
const ofEveryPage = scriptsOf('index.html');

export default [
  ...pages.map((name) => ({ name, path: scriptsOf('index.html', name), limit: '200 kB', gzip: true })),
  ...Object.keys(manifest)
    .filter((name) => name.startsWith('charts/'))
    .map((name) => ({
      name,
      path: scriptsOf(name).filter((file) => !ofEveryPage.includes(file)),
      limit: '130 kB',
      gzip: true,
    })),
];
