import { expect, it } from '@jest/globals';
import { publicActivity } from '#cases';
import { derivedId } from '#kernel';
import { publicImpersonation } from './public-impersonation.js';

it('D54: an impersonation has exactly these members', () => {
  const record = {
    platform: 'instagram',
    url: 'https://instagram.com/not_mia',
    username: null,
    status: 'reported',
    createdAt: 1,
    updatedAt: 2,
  };
  const [impersonationId, creatorId] = [derivedId('impersonation', 'one'), derivedId('creator', 'mia')];
  const row = { impersonationId, creatorId, available: false, record: { ...record, private_notes: 'upset' } };
  expect(publicImpersonation(row)).toStrictEqual({
    id: impersonationId,
    creator_id: creatorId,
    platform: 'instagram',
    url: 'https://instagram.com/not_mia',
    username: null,
    status: 'reported',
    created_at: 1,
    updated_at: 2,
    available: false,
    simulated: false,
  });
});

it('D53: a record of activity has the members of the contract, and says that it is not simulated', () => {
  const record = {
    id: 'act-1',
    type: 'notice.sent',
    occurredAt: 1,
    timestampBasis: 'recorded',
    leakId: 'leak-1',
    url: null,
    status: 'Envoyé',
    statusCode: null,
  };
  expect(publicActivity({ ...record, recipient: 'desk@host.example' } as typeof record)).toStrictEqual({
    id: 'act-1',
    type: 'notice.sent',
    occurred_at: 1,
    timestamp_basis: 'recorded',
    leak_id: 'leak-1',
    url: null,
    status: 'Envoyé',
    status_code: null,
    simulated: false,
  });
});
