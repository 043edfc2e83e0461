import { constants, setPriority } from 'node:os';
import { markBuildInUse } from '../../service/src/build-in-use.js';
import { createProgram } from './program.js';

markBuildInUse();

// Whoever reads only the beginning (`| head`) has what was wanted.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));
// Read models are made anew beside an API that serves: it comes first.
const [, , group, command = ''] = process.argv;
if (group === 'projections' && ['rebuild', 'compare'].includes(command)) {
  setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
}
process.exitCode = await createProgram(process.env, process).run(process.argv.slice(2));
