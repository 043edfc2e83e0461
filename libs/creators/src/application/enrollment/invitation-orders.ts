import { Injectable } from '@nestjs/common';
import { ClockWatch } from '#jobs';
import { type CreatorId, DUE_GRACE, type Effect, type Instant, type OrderProtocol } from '#kernel';
import { CreatorsOptions } from '../../creators.options.js';
import type { CreatorEvent } from '../../domain/creator.events.js';
import type { CreatorState } from '../../domain/creator.state.js';
import {
  awaitsInvitation,
  hasFailed,
  type Inviting,
  recordInvitation,
  recordNotSent,
  recordOutcomeUnknown,
} from '../../domain/enrollment/enrollment.js';
import type { NativeInvitation } from '../../domain/native-invitation.js';
import { CreatorPlatform } from '../access/creator-platform.js';
import type { LoadedCreator } from '../access/loaded-creator.js';

/** An invitation as an order to the platform: in what it differs from other orders. */
@Injectable()
export class InvitationOrders {
  constructor(
    private readonly platform: CreatorPlatform,
    private readonly clocks: ClockWatch,
    private readonly options: CreatorsOptions,
  ) {}

  /** Of a refused one another try may have begun, whose intent, a seat in the roster, has made the item due. */
  of(
    creator: LoadedCreator,
    dueAt: Instant,
  ): OrderProtocol<CreatorState, Inviting, CreatorEvent, CreatorId, NativeInvitation> {
    const { providerTimeout } = this.options;
    return {
      isConfigured: true,
      callTimeout: providerTimeout,
      remaining: (wait) => this.clocks.remainingFor(creator, wait),
      orderOf: (state) => {
        if (!awaitsInvitation(state)) return undefined;
        const calledAt = 'calledAt' in state.enrollment ? state.enrollment.calledAt : dueAt - DUE_GRACE;
        return { calledAt, isConfirmed: false };
      },
      isCalled: awaitsInvitation,
      // A refusal is final for a worker. Another try is the agency's (D28).
      wanted: async ({ state }) => (hasFailed(state) ? 'no' : 'yes'),
      // Recorded by the request, with all that the invitation says.
      intent: () => [],
      call: (state) => this.invite(state),
      lookUp: ({ agencyId, creatorId }) => this.platform.findInvitation(agencyId, creatorId),
      answered: (state, value) => recordInvitation(state, { outcome: 'done', value }),
      refused: (state, code) => recordInvitation(state, { outcome: 'refused', code }),
      unknown: recordOutcomeUnknown,
      cancel: recordNotSent,
      pollEvery: (state) => (hasFailed(state) ? undefined : providerTimeout),
    };
  }

  /** One reference and one body, in every repeat (D28). */
  invite({ agencyId, creatorId, identity, invitee }: Inviting): Promise<Effect<NativeInvitation>> {
    if (invitee === null) throw new Error('an invitation has an invitee');
    return this.platform.invite(agencyId, { reference: creatorId, ...invitee, displayName: identity.displayName });
  }
}
