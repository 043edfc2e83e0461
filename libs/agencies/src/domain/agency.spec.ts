import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { agencyId, type UserId } from '#kernel';
import { at, folded, given } from '#testing';
import {
  type AgencyEvent,
  agencyDecider,
  bind,
  type NativeAgency,
  requireBoundOwner,
  requirePresentEpoch,
  requireVerified,
  workspaceOf,
} from './agency.js';

const lumen = agencyId('ag_lumen');
const workspace = workspaceOf(lumen);
const ana = '0a000000-0000-4000-8000-000000000001' as UserId;
const ben = '0a000000-0000-4000-8000-000000000002' as UserId;
const cai = '0a000000-0000-4000-8000-000000000003' as UserId;

const native = (changes: Partial<NativeAgency> = {}): NativeAgency => ({
  id: lumen,
  name: 'Lumen',
  onboardingComplete: true,
  kycStatus: 'approved',
  ownerUserId: ana,
  ...changes,
});

const bound: AgencyEvent = {
  type: 'agency.bound.v1',
  data: { agencyId: lumen, workspaceId: workspace, epoch: 1, ownerUserId: ana },
};
const rebound = (epoch: number, ownerUserId: UserId): AgencyEvent => ({
  type: 'agency.rebound.v1',
  data: { epoch, ownerUserId },
});

describe('binding an agency', () => {
  it('D19: ties a new agency to its verified owner, in epoch 1', () => {
    given(agencyDecider, [])
      .when((agency) => bind(agency, native(), workspace))
      .then([bound]);
  });

  it('changes nothing while the owner is the same', () => {
    given(agencyDecider, [bound])
      .when((agency) => bind(agency, native(), workspace))
      .thenNothing();
  });

  it('D19: begins the next epoch with each new owner', () => {
    given(agencyDecider, [bound])
      .when((agency) => bind(agency, native({ ownerUserId: ben }), workspace))
      .then([rebound(2, ben)]);
  });

  it('D19: an owner who returns also begins a new epoch, so no old key is valid again', () => {
    given(agencyDecider, [bound, rebound(2, ben)])
      .when((agency) => bind(agency, native(), workspace))
      .then([rebound(3, ana)]);
  });

  it('D22: keeps workspace and time of birth of the first binding', () => {
    expect(folded(agencyDecider, [at(1_000, bound), at(2_000, rebound(2, ben))])).toEqual({
      status: 'bound',
      agencyId: lumen,
      workspaceId: workspace,
      epoch: 2,
      ownerUserId: ben,
      boundAt: 1_000,
    });
  });

  it('D22: an agency has one workspace, which follows from the agency', () => {
    expect(workspaceOf(lumen)).toBe(workspace);
    expect(workspaceOf(agencyId('ag_other'))).not.toBe(workspace);
    expect(workspace).toMatch(/^wsp_[0-9a-hjkmnp-tv-z]{26}$/);
  });

  it('a rebinding without a binding adds up to nothing', () => {
    expect(folded(agencyDecider, [rebound(2, ben)])).toEqual({ status: 'unbound' });
  });

  it('an event of a newer service changes nothing', () => {
    const event = { type: 'agency.closed.v1', data: {} } as unknown as AgencyEvent;
    expect(folded(agencyDecider, [bound, event])).toEqual(folded(agencyDecider, [bound]));
  });
});

describe('who may act for an agency', () => {
  const binding = requireBoundOwner(folded(agencyDecider, [bound]), native());

  it('D19: an unknown agency needs an account', () => {
    expect(() => requireVerified(undefined)).toThrow('agency_account_required');
  });

  it.each([
    [false, 'pending', 'agency_account_required'],
    [false, 'approved', 'agency_account_required'],
    [true, 'pending', 'agency_kyc_required'],
    [true, 'rejected', 'agency_kyc_required'],
  ] as const)('D19: onboarding %s and KYC %s is %s', (onboardingComplete, kycStatus, code) => {
    expect(() => requireVerified(native({ onboardingComplete, kycStatus }))).toThrow(code);
  });

  it('an onboarded and approved agency is verified', () => {
    expect(requireVerified(native())).toEqual(native());
  });

  it('D19: an agency that was never bound needs an account', () => {
    expect(() => requireBoundOwner({ status: 'unbound' }, native())).toThrow('agency_account_required');
  });

  it('D19: the owner must be the one that it is bound to', () => {
    expect(() => requireBoundOwner(binding, native({ ownerUserId: ben }))).toThrow('agency_owner_changed');
    expect(requireBoundOwner(binding, native())).toEqual(binding);
  });

  it('D19: a key of an earlier epoch has to be replaced', () => {
    const second = { ...binding, epoch: 2 };
    expect(() => requirePresentEpoch(second, 1)).toThrow('agency_key_reissue_required');
    expect(() => requirePresentEpoch(second, 2)).not.toThrow();
  });
});

describe('laws of binding', () => {
  it('epochs count from 1 without gaps, and grow exactly when the owner changes', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(ana, ben, cai)), (owners) => {
        let state = agencyDecider.initial;
        let changes = 0;
        owners.forEach((ownerUserId, index) => {
          if (ownerUserId !== owners[index - 1]) changes++;
          for (const event of bind(state, native({ ownerUserId }), workspace)) {
            state = agencyDecider.evolve(state, event, index);
          }
          expect(bind(state, native({ ownerUserId }), workspace)).toEqual([]);
          expect(state).toMatchObject({ epoch: changes, ownerUserId });
        });
      }),
    );
  });
});
