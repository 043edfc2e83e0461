import { ApiSchema } from '@nestjs/swagger';
import {
  MAX_DISPLAY_NAME_LENGTH,
  MAX_EXTERNAL_ID_LENGTH,
  MAX_PERSON_NAME_LENGTH,
  MAX_WORKSPACE_ID_LENGTH,
} from '#creators';
import { Aliases, Described, Email, OneOf, Optional, ProfileUrls, RepeatableBody, Text, UserIdText } from '#http';

const OF_INVITATIONS = 'Required for an invitation, and refused together with `svc_user_id`.';
const ALIASES = 'Pseudonyms, other spellings and usernames. They are added to those that the platform has.';
const PROFILE_URLS = 'Official profiles on supported platforms. Put a username of another platform into `aliases`.';

@ApiSchema({
  description:
    'Either a link or an invitation. A link has `svc_user_id`, and none of `email`, `first_name`, `last_name` and `locale`. An invitation has ' +
    '`email`, `first_name` and `last_name`, and no `svc_user_id`; `locale` is optional. Texts must show something and have no control characters.',
})
export class EnrollCreatorBody extends RepeatableBody {
  @Described('The `workspace_id` of `GET /v1/me`.')
  @Text(MAX_WORKSPACE_ID_LENGTH)
  workspace_id!: string;

  @Described('Your own id of the creator, unique in the workspace.')
  @Text(MAX_EXTERNAL_ID_LENGTH)
  external_id!: string;

  @Described('The name that is searched for.')
  @Text(MAX_DISPLAY_NAME_LENGTH)
  display_name!: string;

  @Optional()
  @Described(ALIASES)
  @Aliases()
  aliases?: string[];

  @Optional()
  @Described(PROFILE_URLS)
  @ProfileUrls()
  profile_urls?: string[];

  @Optional()
  @Described('The user of the platform to link.')
  @UserIdText()
  svc_user_id?: string;

  @Optional()
  @Described(`One address, without a name or angle brackets. ${OF_INVITATIONS}`)
  @Email()
  email?: string;

  @Optional()
  @Described(OF_INVITATIONS)
  @Text(MAX_PERSON_NAME_LENGTH)
  first_name?: string;

  @Optional()
  @Described(OF_INVITATIONS)
  @Text(MAX_PERSON_NAME_LENGTH)
  last_name?: string;

  @Optional()
  @Described('The language of the invitation; `en` by default. Only for an invitation.')
  @OneOf('en', 'fr')
  locale?: 'en' | 'fr';
}

export class UpdateCreatorBody {
  @Optional()
  @Described('The new name.')
  @Text(MAX_DISPLAY_NAME_LENGTH)
  display_name?: string;

  @Optional()
  @Described(ALIASES)
  @Aliases()
  aliases?: string[];

  @Optional()
  @Described(PROFILE_URLS)
  @ProfileUrls()
  profile_urls?: string[];
}

export class SetProtectionBody {
  @Described('Whether scans are scheduled and time is metered.')
  @OneOf('active', 'paused')
  status!: 'active' | 'paused';
}
