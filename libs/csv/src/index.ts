export * from './csv-record.js';
