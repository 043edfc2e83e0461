import { rebuilding } from './rebuild.js';

/** As the service has them; a replay opens the personal data too. */
export default rebuilding('sealed and chained events', 'service');
