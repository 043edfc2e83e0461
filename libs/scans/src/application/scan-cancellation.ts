import { type CreatorState, isErased } from '#creators';
import type { ScanCancellation } from '../domain/scan.js';

export const scanCancellation = (creator: CreatorState): ScanCancellation =>
  isErased(creator) ? 'personal_data_erased' : 'protection_paused';
