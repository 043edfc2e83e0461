export { rotateMasterKey } from '../../apps/cli/src/master-key.js';
export { erase, exported, preview } from '../../apps/cli/src/privacy.js';
export { explain } from '../../apps/cli/src/usage/explain.js';
