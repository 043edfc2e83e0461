import type { AgencyClient } from '../support/agency-client.js';
import { linked } from '../support/creators.js';
import { errorOf } from '../support/error-of.js';
import { AGENCY, Stage } from '../support/stage.js';
import { HookReceiver } from './hook-receiver.js';

interface ShownDelivery {
  readonly id: string;
  readonly event_id: string;
  readonly status: string;
  readonly attempts: number;
}

interface NewEndpoint {
  readonly id: string;
  readonly url: string;
  readonly secret: string;
  readonly created_at: number;
}

/** A running service with one endpoint of the agency, which a receiver listens to, and the tool's words about it. */
export class WebhookStage {
  private constructor(
    readonly stage: Stage,
    readonly receiver: HookReceiver,
    readonly endpoint: NewEndpoint,
    private readonly client: AgencyClient,
    private readonly workspaceId: string,
  ) {}

  static async open(): Promise<WebhookStage> {
    const receiver = new HookReceiver();
    await receiver.start();
    const stage = await Stage.open({ WEBHOOK_TARGETS: 'any', WEBHOOK_BACKOFF: '50ms' });
    await stage.agency({ total_slots: 10 });
    const { workspaceId, secret } = await stage.openAccount();
    const client = stage.client(await stage.start('standalone').ready(), secret);
    const words = ['webhooks', 'register', '--agency', AGENCY, '--url', receiver.url];
    const endpoint = await stage.runTool<NewEndpoint>(...words);
    receiver.secret = endpoint.secret;
    return new WebhookStage(stage, receiver, endpoint, client, workspaceId);
  }

  async close(): Promise<void> {
    await this.stage.close();
    await this.receiver.kill();
  }

  /** Publishes one event, `creator.updated`. */
  async link(): Promise<void> {
    const [userId = ''] = await this.stage.members(1);
    await linked(this.client, this.workspaceId, userId);
  }

  deliveries(...words: string[]): Promise<ShownDelivery[]> {
    return this.stage.runTool('webhooks', 'deliveries', '--agency', AGENCY, ...words);
  }

  async refusal(words: readonly string[], settings = {}): Promise<{ code: string; message: string }> {
    return errorOf(await this.stage.tool(words, settings));
  }
}
