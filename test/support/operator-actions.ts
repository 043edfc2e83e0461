import { ExplainUsage, type UsageDocument } from '#audit';
import type { CreatorId } from '#kernel';
import { KEY_CACHE_TTL } from '#personal-data';
import { ErasePersonalData, ExportPersonalData, PreviewErasure } from '#privacy';
import { operatorContext } from '../../apps/cli/src/operator.js';
import { jsonText } from '../../apps/cli/src/print.js';
import { ExplainUsageHandler, type UsageToExplain } from '../../libs/audit/src/explain-usage.js';
import {
  type ErasedPersonalData,
  ErasePersonalDataHandler,
  PrivacyOptions,
} from '../../libs/privacy/src/erase-personal-data.js';
import { ExportPersonalDataHandler, type PersonalDataExport } from '../../libs/privacy/src/export-personal-data.js';
import { type ErasurePreview, PreviewErasureHandler } from '../../libs/privacy/src/preview-erasure.js';
import type { Services } from './services.js';

const ANYWHERE = { strict: false } as const;

// Without the bus, which knows its handlers only after the start: the tool of a test is not started.
export const preview = ({ app }: Services, creatorId: CreatorId): Promise<ErasurePreview> =>
  app.get(PreviewErasureHandler, ANYWHERE).execute(new PreviewErasure(creatorId));

export const exported = ({ app }: Services, creatorId: CreatorId): Promise<PersonalDataExport> =>
  app.get(ExportPersonalDataHandler, ANYWHERE).execute(new ExportPersonalData(creatorId));

/** The export as the command line prints it. */
export const printedExport = async (services: Services, creatorId: CreatorId): Promise<string> =>
  jsonText(await exported(services, creatorId));

export const erase = (
  { app }: Services,
  creatorId: CreatorId,
  keysForgottenAfter = KEY_CACHE_TTL,
): Promise<ErasedPersonalData> => {
  Object.assign(app.get(PrivacyOptions, ANYWHERE), { keysForgottenAfter });
  return app.get(ErasePersonalDataHandler, ANYWHERE).execute(new ErasePersonalData(creatorId, operatorContext()));
};

export const explain = ({ app }: Services, usage: UsageToExplain): Promise<UsageDocument> =>
  app.get(ExplainUsageHandler, ANYWHERE).execute(new ExplainUsage(usage));
