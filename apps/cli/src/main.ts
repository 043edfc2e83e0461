import { createProgram } from './program.js';

process.exitCode = await createProgram(process.env).run(process.argv.slice(2));
