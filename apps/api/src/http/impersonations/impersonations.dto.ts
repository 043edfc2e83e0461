import { asText, Described, rule } from '#http';
import { impersonationUrlProblem, MAX_IMPERSONATION_URL_LENGTH } from '#impersonations';

const ImpersonationUrl = () =>
  rule({ type: 'string', format: 'uri', maxLength: MAX_IMPERSONATION_URL_LENGTH }, asText(impersonationUrlProblem));

export class ReportImpersonationBody {
  @Described('The address of the account, on a platform that is supported.')
  @ImpersonationUrl()
  url!: string;
}
