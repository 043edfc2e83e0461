import { Injectable } from '@nestjs/common';
import type { CommandContext, Instant } from '#kernel';
import { observeMember } from '../../domain/membership/observation.js';
import type { NativeCreator } from '../../domain/native-creator.js';
import { CreatorRepository } from './creator.repository.js';
import type { LoadedCreator } from './loaded-creator.js';

export interface RecordedSighting {
  readonly creator: LoadedCreator;
  /** Something was recorded after the creator was loaded, which may be newer than what was seen: nothing was recorded. */
  readonly isOvertaken: boolean;
}

/** Records what the platform has shown of a creator. */
@Injectable()
export class CreatorSightings {
  constructor(private readonly repository: CreatorRepository) {}

  /** Records a member as the platform showed it, or that it showed none, after the creator had been loaded. */
  async record(
    creator: LoadedCreator,
    native: NativeCreator | undefined,
    context: CommandContext,
    synchronizedSince: Instant | null = null,
  ): Promise<RecordedSighting> {
    let isOvertaken = false;
    const seen = await this.repository.update(creator, context, (state, _now, position) => {
      isOvertaken = position > creator.position;
      return isOvertaken ? [] : observeMember(state, native, synchronizedSince);
    });
    return { creator: seen, isOvertaken };
  }
}
