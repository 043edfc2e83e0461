import { Module } from '@nestjs/common';
import { CreatorsModule } from '#creators/module';
import { WebhooksModule } from '#webhooks/module';
import { ErasePersonalDataHandler, PrivacyOptions } from './erase-personal-data.js';
import { ExportPersonalDataHandler } from './export-personal-data.js';
import { PreviewErasureHandler } from './preview-erasure.js';
import { RotateMasterKeyHandler } from './rotate-master-key.js';

@Module({
  imports: [CreatorsModule, WebhooksModule],
  providers: [
    PrivacyOptions,
    PreviewErasureHandler,
    ErasePersonalDataHandler,
    ExportPersonalDataHandler,
    RotateMasterKeyHandler,
  ],
})
export class PrivacyModule {}
