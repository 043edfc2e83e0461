import type { List } from '../list.js';
import type { ListOptions } from '../options.js';
import type { Operations } from '../transport/operations.js';
import { path } from '../transport/request.js';
import type { Case } from '../types.js';

export class Cases {
  constructor(private readonly api: Operations) {}

  /** The findings of a creator, synchronized with the platform's records. */
  list(creatorId: string, options?: ListOptions): List<Case> {
    return this.api.list(path`/v1/creators/${creatorId}/cases`, options);
  }
}
