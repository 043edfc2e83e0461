import { type CreatorId, type Effect, type RefusedRecord, type UserId } from '#kernel';
import type { CreatorPlatform, InvitationRequest, RosterPage } from './application/access/creator-platform.js';
import type { IdentityChange } from './domain/identity/identity.js';
import type { NativeCapacity, NativeCreator, NativeInvitation } from './domain/native-records.js';
import { FakeSlots } from './slots.fixtures.js';

type Effectful = 'updateIdentity' | 'invite' | 'withdrawInvitation' | 'resendInvitation' | 'occupySlot' | 'releaseSlot';

/** A native platform of one agency, in memory; an outcome that is set for a call is returned once. */
export class FakePlatform implements CreatorPlatform {
  readonly users = new Map<UserId, NativeCreator>();
  readonly invitations = new Map<CreatorId, NativeInvitation>();
  /** The answer to each resend. */
  readonly resent = new Map<string, NativeInvitation>();
  readonly slotCalls = new FakeSlots();
  readonly slots = this.slotCalls.held;
  readonly calls: string[] = [];
  /** On the roster's first page, in addition to the users. */
  refused: readonly RefusedRecord<UserId>[] = [];
  readonly outcomes = new Map<Effectful, Exclude<Effect<never>, { outcome: 'done' }>>();
  /** Reads reject with it. */
  failure: Error | undefined;
  /** Happens once, after the platform has answered and before the answer arrives. */
  duringRead: (() => Promise<unknown>) | undefined;
  totalSlots = 2;

  async getCapacity(): Promise<NativeCapacity> {
    const { totalSlots } = this;
    const figures = { totalSlots, occupiedSlots: this.slots.size, reservedSlots: 0 };
    return { plan: 'pro', subscriptionStatus: 'active', protectionEligible: true, apiIncluded: true, ...figures };
  }

  async listRoster(
    _agency: unknown,
    { limit, after = '' }: { readonly limit: number; readonly after?: string },
  ): Promise<RosterPage> {
    this.read('listRoster');
    const following = [...this.users.values()].sort((a, b) => (a.userId < b.userId ? -1 : 1));
    const rest = following.filter(({ userId }) => userId > after);
    const creators = rest.slice(0, limit);
    const refused = after === '' ? this.refused : [];
    const nextCursor = rest.length > limit ? (creators.at(-1)?.userId ?? null) : null;
    return this.arrived({ creators, refused, nextCursor });
  }

  async getCreator(_agency: unknown, userId: UserId): Promise<NativeCreator | undefined> {
    this.read('getCreator');
    return this.arrived(this.users.get(userId));
  }

  async updateIdentity(_agency: unknown, userId: UserId, change: IdentityChange): Promise<Effect<NativeCreator>> {
    const effect = this.effect<NativeCreator>('updateIdentity', () => {
      const user = this.users.get(userId);
      if (user === undefined) return { outcome: 'refused', code: 'not_found' };
      const { displayName, aliases, profiles } = user.identity;
      const identity = {
        displayName: change.displayName ?? displayName,
        aliases: [...new Set([...aliases, ...(change.aliases ?? [])])],
        profiles: [...profiles, ...(change.profiles ?? [])],
      };
      const value = { ...user, identity };
      this.users.set(userId, value);
      return { outcome: 'done', value };
    });
    return this.arrived(effect);
  }

  async invite(_agency: unknown, { reference }: InvitationRequest): Promise<Effect<NativeInvitation>> {
    return this.effect('invite', () => {
      const pending = { status: 'pending', userId: null, emailSent: true, expiresAt: 1_000_000 } as const;
      const value = this.invitations.get(reference) ?? { id: `inv-${reference}`, ...pending };
      this.invitations.set(reference, value);
      return { outcome: 'done', value };
    });
  }

  async findInvitation(_agency: unknown, reference: CreatorId): Promise<NativeInvitation | undefined> {
    this.read('findInvitation');
    return this.invitations.get(reference);
  }

  async getInvitation(_agency: unknown, id: string): Promise<NativeInvitation | undefined> {
    this.read('getInvitation');
    return this.arrived([...this.invitations.values()].find((invitation) => invitation.id === id));
  }

  async withdrawInvitation(_agency: unknown, id: string): Promise<Effect<NativeInvitation>> {
    return this.effect('withdrawInvitation', () =>
      this.changeInvitation(id, (invitation) => {
        if (invitation.status === 'onboarded') return 'creator_onboarding_completed';
        if (invitation.status === 'cancelled' || invitation.status === 'detached') return invitation;
        return { ...invitation, status: invitation.status === 'accepted' ? 'detached' : 'cancelled' };
      }),
    );
  }

  async resendInvitation(_agency: unknown, id: string, resendId: string): Promise<Effect<NativeInvitation>> {
    return this.effect('resendInvitation', () => {
      const remembered = this.resent.get(resendId);
      if (remembered !== undefined) return { outcome: 'done', value: remembered };
      const effect = this.changeInvitation(id, (invitation) => {
        if (invitation.status !== 'pending' && invitation.status !== 'expired') return 'invitation_not_pending';
        return { ...invitation, status: 'pending', expiresAt: invitation.expiresAt + 1_000 };
      });
      if (effect.outcome === 'done') this.resent.set(resendId, effect.value);
      return effect;
    });
  }

  async listSlots(_agency: unknown, page: { readonly limit: number; readonly after?: UserId }) {
    return this.slotCalls.list(page);
  }

  async occupySlot(_agency: unknown, userId: UserId, fence: number): Promise<Effect<void>> {
    return this.effect('occupySlot', () => {
      if (!this.users.has(userId)) return { outcome: 'refused', code: 'not_found' };
      return this.slotCalls.occupy(userId, fence, this.totalSlots);
    });
  }

  async releaseSlot(_agency: unknown, userId: UserId, fence: number): Promise<Effect<void>> {
    return this.effect('releaseSlot', () => this.slotCalls.release(userId, fence));
  }

  /** Returns the changed invitation, or the code with which the platform refuses the change. */
  private changeInvitation(
    id: string,
    change: (invitation: NativeInvitation) => NativeInvitation | string,
  ): Effect<NativeInvitation> {
    for (const [reference, invitation] of this.invitations) {
      if (invitation.id !== id) continue;
      const changed = change(invitation);
      if (typeof changed === 'string') return { outcome: 'refused', code: changed };
      this.invitations.set(reference, changed);
      return { outcome: 'done', value: changed };
    }
    return { outcome: 'refused', code: 'not_found' };
  }

  private async arrived<Answer>(answer: Answer): Promise<Answer> {
    const { duringRead } = this;
    this.duringRead = undefined;
    await duringRead?.();
    return answer;
  }

  private read(call: string): void {
    this.calls.push(call);
    if (this.failure !== undefined) throw this.failure;
  }

  private effect<Value>(call: Effectful, work: () => Effect<Value>): Effect<Value> {
    this.calls.push(call);
    const outcome = this.outcomes.get(call);
    this.outcomes.delete(call);
    return outcome ?? work();
  }
}
