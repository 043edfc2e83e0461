import { type DynamicModule, Module, type OnApplicationShutdown } from '@nestjs/common';
import { Clock } from '#kernel';
import { TargetPolicy, WebhookSender } from '#webhooks';
import { createWebhookSending, WebhookSending } from './webhook-sending.js';

@Module({})
export class WebhookSenderModule implements OnApplicationShutdown {
  constructor(private readonly sender: WebhookSender) {}

  /** `public` is D59, `any` for development. */
  static forRoot(targets: 'public' | 'any'): DynamicModule {
    const providers = [
      {
        provide: WebhookSending,
        useFactory: (clock: Clock) => createWebhookSending(targets, clock),
        inject: [Clock],
      },
      { provide: WebhookSender, useFactory: ({ sender }: WebhookSending) => sender, inject: [WebhookSending] },
      { provide: TargetPolicy, useFactory: ({ policy }: WebhookSending) => policy, inject: [WebhookSending] },
    ];
    return { module: WebhookSenderModule, global: true, providers, exports: [WebhookSender, TargetPolicy] };
  }

  onApplicationShutdown(): Promise<void> {
    return this.sender.close();
  }
}
