import {
  described,
  flag,
  idOf,
  instant,
  type JsonSchema,
  knownOf,
  live,
  type Members,
  objectOf,
  orNull,
  pageOf,
  ref,
  text,
} from '#http';
import type { PublicImpersonation } from '#impersonations';

export const IMPERSONATION_STATUSES = ['open', 'reported', 'removed', 'rejected'];

const impersonationMembers: Members<PublicImpersonation> = {
  id: idOf('impersonation'),
  creator_id: idOf('creator'),
  platform: text,
  url: text,
  username: orNull(text),
  status: knownOf(IMPERSONATION_STATUSES, 'How far the report is.'),
  created_at: instant,
  updated_at: instant,
  available: described(flag, 'Whether the platform still lists the account.'),
  simulated: live,
};

export const IMPERSONATION_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  Impersonation: described(
    objectOf(impersonationMembers),
    'An account that pretends to be the creator. Private notes and recipients of notices are left out.',
  ),
  PublishedImpersonation: described(
    objectOf(impersonationMembers, ['simulated']),
    'An impersonation as an event shows it. Events of earlier versions do not have `simulated`.',
  ),
  ImpersonationPage: pageOf(ref('Impersonation')),
};
