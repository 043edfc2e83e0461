export { type Config, InvalidConfiguration, readConfig } from './config.js';
export { parseMasterKey } from './parse-master-key.js';
export { isPlaintextStore, NOT_ENCRYPTED } from './plaintext.js';
export { withSecretFiles } from './secret-files.js';
export { addressIn, TrustedProxies } from './trusted-proxies.js';
export { filled, formatProblems, port, readVariables } from './variables.js';
