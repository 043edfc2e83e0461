import { Module } from '@nestjs/common';
import { CreatorsModule } from '#creators/module';
import { KEYS_REMEMBERED_FOR } from '#personal-data';
import { ErasePersonalDataHandler } from './erase-personal-data.js';
import { ExportPersonalDataHandler } from './export-personal-data.js';
import { PreviewErasureHandler } from './preview-erasure.js';
import { PrivacyOptions } from './privacy.options.js';

@Module({
  imports: [CreatorsModule],
  providers: [
    { provide: PrivacyOptions, useFactory: (): PrivacyOptions => ({ keysForgottenAfter: KEYS_REMEMBERED_FOR }) },
    PreviewErasureHandler,
    ErasePersonalDataHandler,
    ExportPersonalDataHandler,
  ],
})
export class PrivacyModule {}
