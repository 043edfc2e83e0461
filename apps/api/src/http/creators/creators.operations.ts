import type { OperationOptions } from '../transport/operation.js';
import {
  ENROLLMENT_EXAMPLES,
  FULL_CREATOR,
  INVITED_CREATOR,
  LINKED_CREATOR,
  UPDATE_EXAMPLES,
} from './creators.examples.js';

export const ENROLL_CREATOR: OperationOptions = {
  tag: 'Creators',
  summary: 'Links a creator of the roster, or invites a new one; never activates protection.',
  description: `Give either \`svc_user_id\`, to link a user of the platform, or \`email\`, \`first_name\` and \`last_name\`, to invite a new person. Both or
neither is 400. An invitation sends a real email; \`email_sent\` says whether the email provider accepted it.

An identical repeat under the same \`external_id\` answers 200 with the creator as it is now, and invites nobody again. A changed body under the same
\`external_id\` is \`external_id_conflict\`. If a 502, 503, 504 or no answer arrives, repeat the request as it was.

Where the platform refuses the address, the answer is 400 and \`Location\` names the creator, whose enrollment has failed. The same body tries again, and
the answer is 201 if the platform accepts it then.`,
  apiVersion: '0.2.0',
  scopes: ['creators:write'],
  answers: {
    200: { description: 'The creator of an earlier identical enrollment.', schema: 'Creator', example: LINKED_CREATOR },
    201: {
      description: 'The enrolled creator.',
      schema: 'Creator',
      example: { ...INVITED_CREATOR, email_sent: true },
    },
  },
  errors: ['not_found', 'external_id_conflict', 'creator_invitation_pending', 'capacity_reached'],
  refusalHasLocation: true,
  examples: ENROLLMENT_EXAMPLES,
};

export const LIST_CREATORS: OperationOptions = {
  tag: 'Creators',
  summary: "The agency's roster, ordered by native user id.",
  description: `Reads the roster of the platform, and gives an API id to each member that has none yet. That activates nothing and meters nothing. Creators
who were invited and are not onboarded are not on the roster; read them by their id.`,
  apiVersion: '0.2.0',
  scopes: ['creators:read'],
  answers: {
    200: {
      description: 'A page of the roster.',
      schema: 'CreatorPage',
      example: { data: [FULL_CREATOR], next_cursor: FULL_CREATOR.svc_user_id, simulated: false },
    },
  },
};

export const GET_CREATOR: OperationOptions = {
  tag: 'Creators',
  summary: 'One creator, refreshed from the platform.',
  description: 'Shows whether the creator is `eligible` now. Read it before you activate protection.',
  apiVersion: '0.2.0',
  scopes: ['creators:read'],
  answers: { 200: { description: 'The creator.', schema: 'FullCreator', example: FULL_CREATOR } },
  errors: ['not_found'],
  id: 'creator',
};

export const UPDATE_CREATOR: OperationOptions = {
  tag: 'Creators',
  summary: 'Sets the name; merges aliases and profile URLs, and removes none.',
  description: `Send at least one field; those that are left out stay as they are. What the creator already has is not added again, so a repeat is
harmless. A creator has at most 300 aliases and 60 profile URLs.`,
  apiVersion: '0.2.0',
  scopes: ['creators:write'],
  answers: {
    200: {
      description: 'The creator after the change.',
      schema: 'FullCreator',
      example: { ...FULL_CREATOR, display_name: 'Ivy Calloway-Reyes', aliases: ['ivycal', 'Ivy C', 'ivyreyes'] },
    },
  },
  errors: ['not_found', 'creator_rebinding_required', 'creator_invitation_pending'],
  id: 'creator',
  examples: UPDATE_EXAMPLES,
};

export const SET_PROTECTION: OperationOptions = {
  tag: 'Creators',
  summary: 'Switches the API schedule, and with it the usage meter.',
  description: `\`active\` needs an eligible creator and a free slot; scans then follow the schedule, and time is metered. \`paused\` stops the schedule and
cancels queued scans; it neither cancels a subscription nor undoes dispatched work. A repeat changes nothing.`,
  apiVersion: '0.2.0',
  scopes: ['protection:write'],
  answers: {
    200: {
      description: 'The creator after the change.',
      schema: 'Creator',
      example: { ...LINKED_CREATOR, protection_status: 'active' },
    },
  },
  errors: [
    'not_found',
    'creator_rebinding_required',
    'creator_invitation_pending',
    'creator_not_eligible',
    'capacity_reached',
  ],
  id: 'creator',
  examples: { 'protection on': { status: 'active' }, 'protection off': { status: 'paused' } },
};
