import {
  MAX_DISPLAY_NAME_LENGTH,
  MAX_EXTERNAL_ID_LENGTH,
  MAX_PERSON_NAME_LENGTH,
  MAX_WORKSPACE_ID_LENGTH,
} from '#creators';
import { Aliases, Email, Omittable, OneOf, ProfileUrls, Text, UserIdText } from '../validation/rules.js';

export class EnrollCreatorBody {
  @Text(MAX_WORKSPACE_ID_LENGTH)
  workspace_id!: string;

  @Text(MAX_EXTERNAL_ID_LENGTH)
  external_id!: string;

  @Text(MAX_DISPLAY_NAME_LENGTH)
  display_name!: string;

  @Omittable()
  @Aliases()
  aliases?: string[];

  @Omittable()
  @ProfileUrls()
  profile_urls?: string[];

  @Omittable()
  @UserIdText()
  svc_user_id?: string;

  @Omittable()
  @Email()
  email?: string;

  @Omittable()
  @Text(MAX_PERSON_NAME_LENGTH)
  first_name?: string;

  @Omittable()
  @Text(MAX_PERSON_NAME_LENGTH)
  last_name?: string;

  @Omittable()
  @OneOf('en', 'fr')
  locale?: 'en' | 'fr';
}

export class UpdateCreatorBody {
  @Omittable()
  @Text(MAX_DISPLAY_NAME_LENGTH)
  display_name?: string;

  @Omittable()
  @Aliases()
  aliases?: string[];

  @Omittable()
  @ProfileUrls()
  profile_urls?: string[];
}

export class SetProtectionBody {
  @OneOf('active', 'paused')
  status!: 'active' | 'paused';
}
