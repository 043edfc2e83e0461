import type { Operation } from '../operation.js';
import { Refusal } from '../refusal.js';

/** The contract's billing operations are optional: this platform shows no payment methods. */
export const notOffered: Operation = () => {
  throw new Refusal(404, 'not_offered', 'This platform shows no payment methods.');
};
