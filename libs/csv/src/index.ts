export { csvRecord } from './csv-record.js';
