import { constants, setPriority } from 'node:os';
import { markBuildInUse, STOP_SIGNALS } from '../../service/src/process.js';
import { createProgram } from './program.js';

markBuildInUse();

// A write that fails is handled where it was made.
for (const output of [process.stdout, process.stderr]) output.on('error', () => undefined);
// As PID 1 of a container, a process without a handler ignores these signals.
for (const signal of STOP_SIGNALS) {
  process.on(signal, () => process.exit(128 + constants.signals[signal]));
}
// A rebuild runs next to an API that serves: the API has priority.
const [, , group, command = ''] = process.argv;
if (group === 'projections' && ['rebuild', 'compare'].includes(command)) {
  setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
}
process.exitCode = await createProgram(process.env, process).run(process.argv.slice(2));
