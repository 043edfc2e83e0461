/** The runners whose read models an answer to a write waits for. */
export { VIEWS } from '../../apps/api/src/http/read-your-writes.js';
/** All runners that follow the log. */
export { LOG_RUNNERS } from '../../apps/composition/src/log-runners.js';
