#!/usr/bin/env node
// Compiles the client into libs/client/dist, as `npm pack` puts it into the package: ES modules and their types. Builds the
// service first, whose document has the types.
import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const path = (relative) => fileURLToPath(new URL(relative, import.meta.url));

rmSync(path('../libs/client/dist'), { recursive: true, force: true });
execFileSync('npm', ['run', '-s', 'client:types'], { cwd: path('..'), stdio: 'inherit' });
execFileSync(path('../node_modules/.bin/tsc'), ['--project', path('../libs/client')], { stdio: 'inherit' });
