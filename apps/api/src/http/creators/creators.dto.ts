import {
  MAX_DISPLAY_NAME_LENGTH,
  MAX_EXTERNAL_ID_LENGTH,
  MAX_PERSON_NAME_LENGTH,
  MAX_WORKSPACE_ID_LENGTH,
} from '#creators';
import { RepeatableBody } from '../validation/repeatable-body.js';
import { Aliases, Email, OneOf, Optional, ProfileUrls, Text, UserIdText } from '../validation/rules.js';

export class EnrollCreatorBody extends RepeatableBody {
  @Text(MAX_WORKSPACE_ID_LENGTH)
  workspace_id!: string;

  @Text(MAX_EXTERNAL_ID_LENGTH)
  external_id!: string;

  @Text(MAX_DISPLAY_NAME_LENGTH)
  display_name!: string;

  @Optional()
  @Aliases()
  aliases?: string[];

  @Optional()
  @ProfileUrls()
  profile_urls?: string[];

  @Optional()
  @UserIdText()
  svc_user_id?: string;

  @Optional()
  @Email()
  email?: string;

  @Optional()
  @Text(MAX_PERSON_NAME_LENGTH)
  first_name?: string;

  @Optional()
  @Text(MAX_PERSON_NAME_LENGTH)
  last_name?: string;

  @Optional()
  @OneOf('en', 'fr')
  locale?: 'en' | 'fr';
}

export class UpdateCreatorBody {
  @Optional()
  @Text(MAX_DISPLAY_NAME_LENGTH)
  display_name?: string;

  @Optional()
  @Aliases()
  aliases?: string[];

  @Optional()
  @ProfileUrls()
  profile_urls?: string[];
}

export class SetProtectionBody {
  @OneOf('active', 'paused')
  status!: 'active' | 'paused';
}
