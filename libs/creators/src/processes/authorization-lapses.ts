import { Injectable } from '@nestjs/common';
import { roundContext } from '#jobs';
import type { CreatorId, DueHandler, DueOutcome, StoredDueItem } from '#kernel';
import { CreatorRepository } from '../application/creator.repository.js';
import { observeLapse } from '../domain/membership/observation.js';

/** Records that a mandate's end has passed by the clock (D40). */
@Injectable()
export class AuthorizationLapses implements DueHandler {
  readonly kind = 'authorizationEnd';
  readonly concurrency = 8;

  constructor(private readonly repository: CreatorRepository) {}

  async handle(item: StoredDueItem): Promise<DueOutcome> {
    await this.repository.update(item.subject as CreatorId, roundContext(item), observeLapse);
    return 'idle';
  }
}
