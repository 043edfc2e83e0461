import type { INestApplicationContext } from '@nestjs/common';
import { BindAgency, IssueKey, type KeyRequest, RevokeKey } from '#agencies';
import type { AgencyId, CommandContext, KeyId } from '#kernel';
import { RegisterEndpoint } from '#webhooks';
import { BindAgencyHandler } from '../../libs/agencies/src/application/bind-agency.js';
import { IssueKeyHandler } from '../../libs/agencies/src/application/issue-key.js';
import { RevokeKeyHandler } from '../../libs/agencies/src/application/revoke-key.js';
import { RegisterEndpointHandler } from '../../libs/webhooks/src/application/endpoint-commands.js';

interface Container {
  readonly app: INestApplicationContext;
}

const ANYWHERE = { strict: false } as const;

// Without the bus, which knows its handlers only after the start: some tests handle keys on a service that is not started.
export const bindAgency = ({ app }: Container, agencyId: AgencyId, context: CommandContext) =>
  app.get(BindAgencyHandler, ANYWHERE).execute(new BindAgency(agencyId, context));

export const issueKey = ({ app }: Container, agencyId: AgencyId, request: KeyRequest, context: CommandContext) =>
  app.get(IssueKeyHandler, ANYWHERE).execute(new IssueKey(agencyId, request, context));

export const revokeKey = ({ app }: Container, keyId: KeyId, context: CommandContext) =>
  app.get(RevokeKeyHandler, ANYWHERE).execute(new RevokeKey(keyId, context));

export const registerEndpoint = ({ app }: Container, agencyId: AgencyId, url: string, context: CommandContext) =>
  app.get(RegisterEndpointHandler, ANYWHERE).execute(new RegisterEndpoint(agencyId, url, context));
