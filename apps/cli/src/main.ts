import { createProgram } from './program.js';

// Whoever reads only the beginning (`| head`) has what was wanted.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));
process.exitCode = await createProgram(process.env, process).run(process.argv.slice(2));
