import type { JsonSchema } from '../validation/json-schema.js';

const WORKSPACE = 'wsp_4wf0fs1vreaantzpvk5ncqmegd';

/** Example bodies of `POST /v1/creators`, for the OpenAPI document. */
export const ENROLLMENT_EXAMPLES = {
  'link a creator of the roster': {
    workspace_id: WORKSPACE,
    external_id: 'talent-1042',
    display_name: 'Ivy Calloway',
    aliases: ['ivycal', 'Ivy C'],
    profile_urls: ['https://fansly.com/ivycalloway', 'https://www.tiktok.com/@ivycalloway'],
    svc_user_id: '07e869e9-5ed8-5550-a30f-fe14b96a9372',
  },
  'invite a new creator': {
    workspace_id: WORKSPACE,
    external_id: 'talent-1043',
    display_name: 'Maëlle Dujardin',
    email: 'maelle@talent.example',
    first_name: 'Maëlle',
    last_name: 'Dujardin',
    locale: 'fr',
  },
};

/** Example bodies of `PATCH /v1/creators/{id}`, for the OpenAPI document. */
export const UPDATE_EXAMPLES = {
  'a new name and one more alias': { display_name: 'Ivy Calloway-Reyes', aliases: ['ivyreyes'] },
};

/** D23: a link or an invitation, never both and never neither. */
export const LINK_OR_INVITATION: JsonSchema = {
  oneOf: [
    { required: ['svc_user_id'], properties: { email: false, first_name: false, last_name: false, locale: false } },
    { required: ['email', 'first_name', 'last_name'], properties: { svc_user_id: false } },
  ],
};
