import { beforeEach, describe, expect, it } from '@jest/globals';
import { agencyId, Clock, ConsistencyToken, DAY, DomainError, SECOND, type UserId } from '#kernel';
import { given } from '../../../testing/src/test-ports.module.js';
import { type TestedContext, testedContext } from '../../../testing/src/tested-context.js';
import { AgenciesModule } from '../agencies.module.js';
import { type NativeAgency, workspaceOf } from '../domain/agency.js';
import type { KeyRequest } from '../domain/api-key.js';
import { keyClaimOf } from '../domain/key-secret.js';
import { AgenciesOptions, type AgencyAccess, AgencyDirectory } from './agency-access.js';
import { BindAgency, DescribeAgency, GetBinding } from './bind-agency.js';
import { IssueKey, MAX_KEYS_PER_DAY } from './issue-key.js';
import { ApiKeyAccess } from './list-keys.js';
import { RevokeKey } from './revoke-key.js';

const nova = agencyId('ag_nova');
const ana = '0a000000-0000-4000-8000-000000000001' as UserId;
const ben = '0a000000-0000-4000-8000-000000000002' as UserId;
const context = {
  actor: 'operator:test',
  correlationId: 'test',
  causationId: null,
  workspaceId: workspaceOf(nova),
  consistencyToken: new ConsistencyToken(),
};

/** The platform's word on agencies; it can be silenced. */
class FakeDirectory implements AgencyDirectory {
  asked = 0;
  failure: unknown;
  /** Happens once, after the platform has answered and before the answer has come. */
  duringCall: (() => Promise<unknown>) | undefined;
  agency: NativeAgency | undefined = {
    id: nova,
    name: 'Nova',
    onboardingComplete: true,
    kycStatus: 'approved',
    ownerUserId: ana,
  };

  async getAgency(): Promise<NativeAgency | undefined> {
    this.asked++;
    if (this.failure !== undefined) throw this.failure;
    const { agency, duringCall } = this;
    this.duringCall = undefined;
    await duringCall?.();
    return agency;
  }

  change(changes: Partial<NativeAgency>): void {
    if (this.agency !== undefined) this.agency = { ...this.agency, ...changes };
  }
}

let now: number;
let directory: FakeDirectory;
let service: TestedContext;
let access: AgencyAccess;
const accessCaching = async (verificationCache: number): Promise<void> => {
  const clock = { now: () => now, elapsed: () => now };
  const options = { verificationCache };
  const replaced = [given(AgencyDirectory, directory), given(Clock, clock), given(AgenciesOptions, options)];
  service = await testedContext([AgenciesModule], replaced);
  access = service.access;
};
const bind = () => service.commands.execute(new BindAgency(nova, context));
const binding = () => service.queries.execute(new GetBinding(nova));
const described = () => service.queries.execute(new DescribeAgency(nova));
const issue = (request: KeyRequest) => service.commands.execute(new IssueKey(nova, request, context));
const opened = async (secret: string, at: number) => {
  const claim = keyClaimOf(secret);
  if (claim === undefined) throw new Error('the secret has not the form of one');
  return service.get(ApiKeyAccess).open(claim, at);
};

beforeEach(async () => {
  now = 1_700_000_000_000;
  directory = new FakeDirectory();
  await accessCaching(0);
});

describe('binding an agency', () => {
  it('to an owner that was requested before a later rebinding does not restore the former owner', async () => {
    await bind();
    directory.duringCall = () => {
      directory.change({ ownerUserId: ben });
      return bind();
    };
    expect(await bind()).toMatchObject({ ownerUserId: ben, epoch: 2 });
    directory.duringCall = () => {
      directory.change({ ownerUserId: ana });
      return bind();
    };
    expect(await bind()).toMatchObject({ ownerUserId: ana, epoch: 3 });
  });
});

describe('binding an agency to the owner that a person has seen', () => {
  const bindTo = (seen: UserId) => service.commands.execute(new BindAgency(nova, context, seen));

  it('binds it, if the platform still says so', async () => {
    expect(await bindTo(ana)).toMatchObject({ ownerUserId: ana, epoch: 1 });
  });

  it('is refused when the verified owner is another one, and changes nothing', async () => {
    await bind();
    directory.change({ ownerUserId: ben });
    await expect(bindTo(ana)).rejects.toMatchObject({ code: 'agency_owner_changed' });
    expect(await binding()).toMatchObject({ ownerUserId: ana, epoch: 1 });
    expect(await bindTo(ben)).toMatchObject({ ownerUserId: ben, epoch: 2 });
  });
});

describe('describing an agency', () => {
  it('refuses nothing: not bound, not verified, another owner, unknown', async () => {
    expect(await described()).toEqual({ native: directory.agency, binding: undefined });
    const bound = await bind();
    for (const change of [{ onboardingComplete: false }, { kycStatus: 'rejected' }, { ownerUserId: ben }] as const) {
      directory.change(change);
      expect(await described()).toEqual({ native: directory.agency, binding: bound });
    }
    directory.agency = undefined;
    expect(await described()).toEqual({ native: undefined, binding: bound });
    directory.failure = new Error('no connection');
    expect(await described()).toEqual({ native: 'unavailable', binding: bound });
  });

  it('D20: shares the cached positive answer with verification, and caches no other', async () => {
    await accessCaching(5_000);
    await described();
    expect(directory.asked).toBe(1);
    const bound = await bind();
    await described();
    const asked = directory.asked;
    expect(await described()).toEqual({ native: directory.agency, binding: bound });
    await access.verify(nova);
    expect(directory.asked).toBe(asked);
    now += 5_000;
    directory.change({ kycStatus: 'pending' });
    await described();
    await described();
    expect(directory.asked).toBe(asked + 2);
    await expect(access.verify(nova)).rejects.toMatchObject({ code: 'agency_kyc_required' });
  });
});

describe('verifying an agency', () => {
  it('gives its record and its binding', async () => {
    const bound = await bind();
    expect(await access.verify(nova)).toEqual({ native: directory.agency, binding: bound });
  });

  it('D19: after any failure of the platform, verification is unavailable', async () => {
    await bind();
    for (const failure of [new DomainError('provider_timeout'), new Error('nonsense'), 'a string']) {
      directory.failure = failure;
      await expect(access.verify(nova)).rejects.toMatchObject({ code: 'agency_verification_unavailable' });
    }
  });

  it('D19: binding passes the same checks', async () => {
    directory.change({ kycStatus: 'pending' });
    await expect(bind()).rejects.toMatchObject({ code: 'agency_kyc_required' });
    directory.failure = new Error('down');
    await expect(bind()).rejects.toMatchObject({ code: 'agency_verification_unavailable' });
    await expect(binding()).rejects.toMatchObject({ code: 'not_found' });
  });

  it('D19: after an owner change the new owner binds again, and has the access', async () => {
    await bind();
    directory.change({ ownerUserId: ben });
    await expect(access.verify(nova)).rejects.toMatchObject({ code: 'agency_owner_changed' });
    expect(await bind()).toMatchObject({ epoch: 2, ownerUserId: ben });
    expect((await access.verify(nova)).binding.epoch).toBe(2);
  });
});

describe('D20: the cache of verifications', () => {
  beforeEach(async () => {
    await accessCaching(5 * SECOND);
    await bind();
    directory.asked = 0;
  });

  it('a positive one serves for five seconds and not a millisecond longer', async () => {
    await access.verify(nova);
    now += 5 * SECOND - 1;
    await access.verify(nova);
    expect(directory.asked).toBe(1);
    now += 1;
    await access.verify(nova);
    expect(directory.asked).toBe(2);
  });

  it('a positive one does not serve when the clock has been set back since', async () => {
    await access.verify(nova);
    now -= 1;
    directory.change({ kycStatus: 'pending' });
    await expect(access.verify(nova)).rejects.toMatchObject({ code: 'agency_kyc_required' });
  });

  it('a negative or failed one never', async () => {
    directory.change({ kycStatus: 'pending' });
    await expect(access.verify(nova)).rejects.toMatchObject({ code: 'agency_kyc_required' });
    directory.change({ kycStatus: 'approved' });
    directory.failure = new Error('down');
    await expect(access.verify(nova)).rejects.toMatchObject({ code: 'agency_verification_unavailable' });
    directory.failure = undefined;
    await access.verify(nova);
    expect(directory.asked).toBe(3);
  });

  it('a positive one is forgotten when a later one fails', async () => {
    await access.verify(nova);
    now += 5 * SECOND;
    directory.failure = new Error('down');
    await expect(access.verify(nova)).rejects.toMatchObject({ code: 'agency_verification_unavailable' });
    await expect(access.verify(nova)).rejects.toMatchObject({ code: 'agency_verification_unavailable' });
  });

  it('nothing, where that is configured', async () => {
    await accessCaching(0);
    await bind();
    directory.asked = 0;
    await access.verify(nova);
    await access.verify(nova);
    expect(directory.asked).toBe(2);
  });

  it('a positive one is forgotten when a binding is refused', async () => {
    await access.verify(nova);
    directory.change({ kycStatus: 'pending' });
    await expect(bind()).rejects.toMatchObject({ code: 'agency_kyc_required' });
    await expect(access.verify(nova)).rejects.toMatchObject({ code: 'agency_kyc_required' });
  });

  it('binding asks the platform again', async () => {
    await access.verify(nova);
    await bind();
    expect(directory.asked).toBe(2);
  });
});

describe('the keys of an agency', () => {
  it('D17: a secret opens its key until it expires', async () => {
    await bind();
    const { key, secret } = await issue({ preset: 'read_only', lifetime: '30d' });
    expect(await opened(secret, now)).toMatchObject({ keyId: key.keyId, epoch: 1 });
    const end = key.expiresAt ?? 0;
    expect(end).toBe(now + 2_592_000_000);
    await expect(opened(secret, end)).rejects.toMatchObject({ code: 'unauthorized' });
  });

  it('D17: a revoked and an unknown key get the same refusal', async () => {
    await bind();
    const { key, secret } = await issue({ preset: 'read_write', lifetime: 'none' });
    await service.commands.execute(new RevokeKey(key.keyId, context));
    for (const text of [secret, `svc_live_${'x'.repeat(43)}`]) {
      await expect(opened(text, now)).rejects.toMatchObject({ code: 'unauthorized' });
    }
  });

  it('D19: carry the epoch that they were issued under', async () => {
    await bind();
    const first = await issue({ preset: 'read_only', lifetime: 'none' });
    directory.change({ ownerUserId: ben });
    await bind();
    const second = await issue({ preset: 'read_only', lifetime: 'none' });
    expect([first.key.epoch, second.key.epoch]).toEqual([1, 2]);
    expect(first.secret).not.toBe(second.secret);
  });

  it('are at most 1,000 in a UTC day for a binding, because each API process knows all of them', async () => {
    await bind();
    const request = { preset: 'read_only', lifetime: '30d' } as const;
    now = DAY - 1_500;
    for (let left = MAX_KEYS_PER_DAY; left > 0; left--) await issue(request);
    await expect(issue(request)).rejects.toMatchObject({ code: 'rate_limited', retryAfterSeconds: 2 });
    directory.change({ ownerUserId: ben });
    await bind();
    expect((await issue(request)).key.epoch).toBe(2);
    directory.change({ ownerUserId: ana });
    now = DAY;
    await bind();
    await issue(request);
  });

  it.each<[string, Partial<NativeAgency>, string]>([
    ['whose onboarding is incomplete', { onboardingComplete: false }, 'agency_account_required'],
    ['without approved KYC', { kycStatus: 'pending' }, 'agency_kyc_required'],
    ['of another owner than the bound one', { ownerUserId: ben }, 'agency_owner_changed'],
  ])('D83: are not issued to an agency %s', async (_which, change, code) => {
    await accessCaching(5_000);
    await bind();
    await access.verify(nova);
    directory.change(change);
    const issued = issue({ preset: 'read_only', lifetime: '90d' });
    await expect(issued).rejects.toMatchObject({ code });
  });

  it('D83: are not issued while the platform does not answer', async () => {
    await bind();
    directory.failure = new Error('no connection');
    const issued = issue({ preset: 'read_only', lifetime: '90d' });
    await expect(issued).rejects.toMatchObject({ code: 'agency_verification_unavailable' });
  });

  it('are not issued to an agency that was never bound', async () => {
    await expect(issue({ preset: 'read_only', lifetime: 'none' })).rejects.toMatchObject({ code: 'not_found' });
  });
});
