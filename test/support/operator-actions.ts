import { ExplainUsage, type UsageDocument } from '#audit';
import { CreatorErasure } from '#creators';
import type { CreatorId } from '#kernel';
import { KEY_CACHE_TTL } from '#personal-data';
import {
  ErasePersonalData,
  ExportPersonalData,
  type MasterKeyRotation,
  PreviewErasure,
  RotateMasterKey,
} from '#privacy';
import { SecretReencryption } from '#webhooks';
import { operatorContext } from '../../apps/cli/src/operator-context.js';
import { jsonText } from '../../apps/cli/src/print.js';
import { ExplainUsageHandler, type UsageToExplain } from '../../libs/audit/src/explain-usage.js';
import { type ErasedPersonalData, ErasePersonalDataHandler } from '../../libs/privacy/src/erase-personal-data.js';
import { ExportPersonalDataHandler, type PersonalDataExport } from '../../libs/privacy/src/export-personal-data.js';
import { type ErasurePreview, PreviewErasureHandler } from '../../libs/privacy/src/preview-erasure.js';
import { RotateMasterKeyHandler } from '../../libs/privacy/src/rotate-master-key.js';
import type { Services } from './services.js';

export const preview = ({ app, log, personalKeys }: Services, creatorId: CreatorId): Promise<ErasurePreview> =>
  new PreviewErasureHandler(app.get(CreatorErasure), log, personalKeys).execute(new PreviewErasure(creatorId));

export const exported = (
  { app, log, personalKeys, clock }: Services,
  creatorId: CreatorId,
): Promise<PersonalDataExport> =>
  new ExportPersonalDataHandler(app.get(CreatorErasure), log, personalKeys, clock).execute(
    new ExportPersonalData(creatorId),
  );

/** The export as the command line prints it. */
export const printedExport = async (services: Services, creatorId: CreatorId): Promise<string> =>
  jsonText(await exported(services, creatorId));

export const erase = (
  { app, log, personalKeys, rebuild, documents, clock }: Services,
  creatorId: CreatorId,
  keysForgottenAfter = KEY_CACHE_TTL,
): Promise<ErasedPersonalData> => {
  const creators = app.get(CreatorErasure);
  const options = { keysForgottenAfter };
  return new ErasePersonalDataHandler(creators, log, personalKeys, rebuild, documents, clock, options).execute(
    new ErasePersonalData(creatorId, operatorContext()),
  );
};

export const rotateMasterKey = (services: Services): Promise<MasterKeyRotation> => {
  const { app, masterKeys, sentinel, personalKeys, sealing, log, clock } = services;
  const webhookSecrets = app.get(SecretReencryption, { strict: false });
  return new RotateMasterKeyHandler(masterKeys, sentinel, personalKeys, webhookSecrets, sealing, log, clock).execute(
    new RotateMasterKey(operatorContext()),
  );
};

export const explain = (
  { queries, creators, log, clock, config }: Services,
  usage: UsageToExplain,
): Promise<UsageDocument> =>
  new ExplainUsageHandler(queries, creators, log, clock, config).execute(new ExplainUsage(usage));
