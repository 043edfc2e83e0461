/** Records as the contract shows them, for tests. */
export const USER = '0b0e7a52-4f7e-4bb1-9d5c-6a2f3c1d0e01';
export const OTHER_USER = '0b0e7a52-4f7e-4bb1-9d5c-6a2f3c1d0e02';
export const REFERENCE = 'crt_01k6q3z5xkf1b8g2m4n6p8r0t2';
export const SCAN = 'scn_01k6q3z5xkf1b8g2m4n6p8r0t2';

export const agency = {
  id: 'agency-1',
  name: 'Aurora Talent',
  onboarding_complete: true,
  kyc_status: 'approved',
  owner_user_id: USER,
};

export const capacity = {
  plan: 'pro',
  subscription_status: 'active',
  protection_eligible: true,
  total_slots: 10,
  occupied_slots: 3,
  reserved_slots: 1,
  api_included: true,
};

export const creator = {
  user_id: USER,
  invitation_reference: REFERENCE,
  display_name: 'Lea Martin',
  aliases: ['lea.m'],
  profiles: [{ platform: 'manyvids', username: 'lea', profile_id: '1001' }],
  is_staff: false,
  onboarding_complete: true,
  authorization: { approved: true, status: 'approved', expires_at: '2027-01-31T00:00:00Z' },
  entitlement: { active: true, source: 'agency_plan' },
  updated_at: 1_790_000_000_000,
};

export const invitation = {
  id: 'inv-1',
  reference: REFERENCE,
  status: 'pending',
  user_id: null,
  email_sent: true,
  expires_at: 1_790_000_000_000,
};

export const leak = {
  leak_id: 'leak-1',
  url: 'https://leaks.example/lea',
  status: 'Signalé',
  status_code: 'notice_sent',
  actionable: null,
  dead_on_arrival: false,
  created_at: 1_780_000_000_000,
  updated_at: 1_790_000_000_000,
  job_id: 'job-1',
};

export const impersonation = {
  impersonation_id: 'imp-1',
  platform: 'instagram',
  url: 'https://instagram.com/not_lea',
  username: 'not_lea',
  status: 'reported',
  created_at: 1_780_000_000_000,
  updated_at: 1_790_000_000_000,
};

export const activity = {
  id: 'act-1',
  type: 'notice.sent',
  occurred_at: 1_790_000_000_000,
  timestamp_basis: 'recorded',
  leak_id: 'leak-1',
  url: 'https://leaks.example/lea',
  status: 'Signalé',
  status_code: 'notice_sent',
};

export const scanJob = {
  job_id: 'job-1',
  reference: SCAN,
  status: 'completed',
  error_code: null,
  finished_at: 1_790_000_000_000,
};

export const DEINDEX_REQUEST = 'dix_01k6q3z5xkf1b8g2m4n6p8r0t2';

export const submission = {
  submission_id: 'sub-1',
  reference: DEINDEX_REQUEST,
  status: 'submitted',
  submitted_to_provider: true,
  removal_verified: false,
  error_code: null,
  updated_at: 1_790_000_000_000,
};
