import { describe, expect, it } from '@jest/globals';
import {
  DomainError,
  Fenced,
  InvalidAppend,
  StoreUnavailable,
  UnknownCollection,
  WrongExpectedRevision,
} from '#kernel';
import { isInfrastructureFailure } from './dead-letters/dead-letters.js';

describe('a failure of the infrastructure (D67)', () => {
  it.each([
    ['a store that cannot be reached', new StoreUnavailable('closed')],
    ['a collection that was replaced', new UnknownCollection('cases_v1_1')],
    ['a lease that another process has', new Fenced('publisher')],
    ['a writer that was faster', new WrongExpectedRevision('eventFeed-1', 1, 2)],
    ['a provider that does not answer', new DomainError('provider_timeout')],
    ['a provider that cannot be reached', new DomainError('provider_unavailable')],
    ['a provider that answers nonsense', new DomainError('provider_invalid_response')],
    ['an engine that is not configured here', new DomainError('svc_engine_not_configured')],
    ['an agency that cannot be verified', new DomainError('agency_verification_unavailable')],
    ['an agency without an account at the moment', new DomainError('agency_account_required')],
    ['an agency that is denied at the moment', new DomainError('agency_kyc_required')],
    ['an agency with another owner', new DomainError('agency_owner_changed')],
    ['an agency whose keys are of another owner', new DomainError('agency_key_reissue_required')],
    ['a deadline', new DOMException('too late', 'TimeoutError')],
    ['an interruption', AbortSignal.abort().reason],
  ])('is %s', (_, error) => {
    expect(isInfrastructureFailure(error)).toBe(true);
  });

  it.each([
    ['an append beyond its limits', new InvalidAppend('too large')],
    ['a refusal by the state', new DomainError('creator_not_eligible')],
    ['a fault of the program', new TypeError('undefined is not a function')],
    ['what is no error', 'broken'],
  ])('is not %s', (_, error) => {
    expect(isInfrastructureFailure(error)).toBe(false);
  });
});
