import { type CreatorState, isErased } from '#creators';
import type { ScanCancellation } from '../domain/scan.js';

/** Why a queued scan of the creator is cancelled (D48, D72). */
export const scanCancellation = (creator: CreatorState): ScanCancellation =>
  isErased(creator) ? 'personal_data_erased' : 'protection_paused';
