import { type AgencyId, type KeyId, repositoryOf } from '#kernel';
import { type AgencyEvent, type AgencyState, agencyDecider } from '../domain/agency.js';
import { type ApiKey, type ApiKeyEvent, apiKeyDecider } from '../domain/api-key.js';

export class AgencyRepository extends repositoryOf<AgencyState, AgencyEvent, AgencyId>(agencyDecider) {}
export class ApiKeyRepository extends repositoryOf<ApiKey, ApiKeyEvent, KeyId>(apiKeyDecider) {}
