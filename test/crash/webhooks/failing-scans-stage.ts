import { readConfig } from '#configuration';
import type { CreatorId, WorkspaceId } from '#kernel';
import { type OpenService, openService } from '../../support/open-service.js';
import { linked } from '../support/creators.js';
import type { AppProcess } from '../support/processes.js';
import { AGENCY, Stage } from '../support/stage.js';
import { HookReceiver } from './hook-receiver.js';

/** A creator whose scans fail, an endpoint that hears of it, and a worker that may be killed; nothing else runs. */
export class FailingScansStage {
  private constructor(
    readonly stage: Stage,
    readonly receiver: HookReceiver,
    readonly endpointId: string,
    readonly about: { readonly workspaceId: WorkspaceId; readonly creatorId: CreatorId },
    /** The service in this process, which is not started. */
    readonly opened: OpenService,
  ) {}

  static async open(settings: Readonly<Record<string, string>> = {}): Promise<FailingScansStage> {
    const receiver = new HookReceiver();
    await receiver.start();
    const stage = await Stage.open({ WEBHOOK_TARGETS: 'any', LOG_LEVEL: 'warn', ...settings });
    await stage.agency({ total_slots: 10 });
    const { workspaceId, secret } = await stage.openAccount();
    const standalone = stage.start('standalone', { LOG_LEVEL: 'info' });
    const client = stage.client(await standalone.ready(), secret);
    const [userId = ''] = await stage.members(1);
    const creatorId = await linked(client, workspaceId, userId);
    await standalone.stop();
    const register = ['webhooks', 'register', '--agency', AGENCY, '--url', receiver.url];
    const endpoint = await stage.runTool<{ id: string; secret: string }>(...register);
    receiver.secret = endpoint.secret;
    const about = { workspaceId: workspaceId as WorkspaceId, creatorId: creatorId as CreatorId };
    return new FailingScansStage(stage, receiver, endpoint.id, about, await openService(readConfig(stage.environment)));
  }

  async startWorker(): Promise<AppProcess> {
    const worker = this.stage.start('worker', { LOG_LEVEL: 'info' });
    await worker.ready();
    return worker;
  }

  async close(): Promise<void> {
    await this.opened.close();
    await this.stage.close();
    await this.receiver.kill();
  }
}
