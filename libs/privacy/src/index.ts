export { ErasePersonalData } from './erase-personal-data.js';
export { ExportPersonalData } from './export-personal-data.js';
export { PreviewErasure } from './preview-erasure.js';
