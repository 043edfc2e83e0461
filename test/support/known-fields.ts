export { KNOWN_FIELDS } from '../../apps/api/src/http/transport/served-requests.js';
