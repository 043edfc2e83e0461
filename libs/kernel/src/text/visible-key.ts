import { invalidRequest } from '../errors.js';
import { BLANK } from '../text.js';
import { isBlank } from './invisible.js';

/** For a new request: the repeat of one that was accepted before this rule stays a repeat (D96, D98). */
export function requireVisibleKey(key: string): void {
  if (isBlank(key)) throw invalidRequest({ field: 'Idempotency-Key', message: BLANK });
}
