export * from './agency.js';
export * from './agency-access.js';
export * from './agency-accounts.js';
export * from './api-key.js';
export * from './key-secret.js';
export * from './ports.js';
export * from './scopes.js';
