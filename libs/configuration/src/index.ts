export { type Config, InvalidConfiguration, readConfig } from './config.js';
export { isPlaintextStore, NOT_ENCRYPTED } from './plaintext.js';
export { withSecretFiles } from './secret-files.js';
export { addressIn, TrustedProxies } from './trusted-proxies.js';
export { filled, formatProblems, parseMasterKey, port, readVariables } from './variables.js';
