import { constants, setPriority } from 'node:os';
import { markBuildInUse } from '../../service/src/build-in-use.js';
import { createProgram } from './program.js';

markBuildInUse();

// A reader that closes the pipe (`| head`) has read enough; this is no error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));
// A rebuild runs next to an API that serves: the API has priority.
const [, , group, command = ''] = process.argv;
if (group === 'projections' && ['rebuild', 'compare'].includes(command)) {
  setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
}
process.exitCode = await createProgram(process.env, process).run(process.argv.slice(2));
