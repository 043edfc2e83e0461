export * from './given.js';
