export { dataFolder, folderOfAllStores } from './data-folder.js';
export type { KeyNeed } from './key-check.js';
export { configuredSealKey, configuredSealKeys, MasterKeys } from './master-keys.js';
export { isSameLog, openStorageLocation, type StorageLocation } from './storage-locations.js';
export { openStoredLog, openStores, rememberedSeal, Stores } from './stores.js';
