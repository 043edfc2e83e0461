import { Injectable } from '@nestjs/common';
import type { Duration } from '#kernel';
import { KEY_CACHE_TTL } from '#personal-data';

@Injectable()
export class PrivacyOptions {
  /** How long a process may still decrypt with a key that another process has destroyed. */
  readonly keysForgottenAfter: Duration = KEY_CACHE_TTL;
}
