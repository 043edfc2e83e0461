import { impersonationUrlProblem, MAX_IMPERSONATION_URL_LENGTH } from '#impersonations';
import { asText, Described, rule } from '../validation/rules.js';

const ImpersonationUrl = () =>
  rule({ type: 'string', format: 'uri', maxLength: MAX_IMPERSONATION_URL_LENGTH }, asText(impersonationUrlProblem));

export class ReportImpersonationBody {
  @Described('The address of the account, on a platform that is supported.')
  @ImpersonationUrl()
  url!: string;
}
