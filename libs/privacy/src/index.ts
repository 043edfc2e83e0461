export { ErasePersonalData } from './erase-personal-data.js';
export { ErasureFollower } from './erasure-follower.js';
export { ExportPersonalData } from './export-personal-data.js';
export { PreviewErasure } from './preview-erasure.js';
export { type MasterKeyRotation, ReplaceableMasterKey, RotateMasterKey } from './rotate-master-key.js';
