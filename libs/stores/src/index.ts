export { dataFolder, folderOfAllStores } from './data-folder.js';
export type { KeyNeed } from './key-check.js';
export { MasterKeys } from './master-keys.js';
export { configuredSealKey, configuredSealKeys } from './seal-key.js';
export { isSameLog, openStorageLocation, type StorageLocation } from './storage-locations.js';
export { openStoredLog, openStores, rememberedSeal, Stores } from './stores.js';
