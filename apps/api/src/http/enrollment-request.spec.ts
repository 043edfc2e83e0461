import { expect, it } from '@jest/globals';
import type { CommandBus } from '@nestjs/cqrs';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Access, DtoPipe } from '#http';
import { FakeClock } from '#testing';
import { contextOf, scope } from '../../../../libs/testing/src/tested-context.js';
import { CreatorsController } from './creators.controller.js';
import { EnrollCreatorBody, enrollmentRequest } from './enrollment-request.js';

const USER = '0a000000-0000-4000-8000-00000000000f';
const link = { workspace_id: scope.workspaceId, external_id: 'ext-mia', display_name: 'Mia', svc_user_id: USER };
const asBody = async (sent: object): Promise<EnrollCreatorBody> =>
  (await new DtoPipe().transform(sent, { type: 'body', metatype: EnrollCreatorBody })) as EnrollCreatorBody;

it.each([
  [`svc:${USER}`, []],
  ['svc:0b000000-0000-4000-8000-00000000000f', ['external_id']],
])('the external id %s of a link has the problems %j: an automatic one is for its own user (D25)', async (...row) => {
  const [external_id, fields] = row;
  const sent = { ...link, external_id };
  const { problems = [] } = enrollmentRequest(await asBody(sent), sent);
  expect(problems.map(({ field }) => field)).toEqual(fields);
});

it.each([
  [{}, { code: 'not_found' }],
  [{ display_name: '' }, { code: 'invalid_request', fields: [{ field: 'display_name' }] }],
])(
  'an enrollment for another workspace, with %j, is checked before it is looked up (D1, D9)',
  async (change, refusal) => {
    // Any command would fail the test.
    const controller = new CreatorsController({} as CommandBus, new FakeClock());
    const sent = { ...link, workspace_id: 'wsp_other', ...change };
    const caller = { scope, context: contextOf() } as Access;
    const enrolling = controller.enrollCreator(
      caller,
      await asBody(sent),
      { body: sent } as FastifyRequest,
      {} as FastifyReply,
    );
    await expect(enrolling).rejects.toMatchObject(refusal);
  },
);
