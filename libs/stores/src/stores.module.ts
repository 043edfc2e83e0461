import { type DynamicModule, Module, type OnApplicationShutdown } from '@nestjs/common';
import { BackgroundDocumentStore, DocumentStore, EventLog } from '#kernel';
import { KeyRing, Sentinel } from '#personal-data';
import { MasterKeys } from './master-keys.js';
import { Stores } from './stores.js';

/** The stores that the configuration names, and the keys that belong to them. They close last. */
@Module({})
export class StoresModule implements OnApplicationShutdown {
  constructor(private readonly stores: Stores) {}

  static forRoot(open: () => Promise<Stores>): DynamicModule {
    const part = <Name extends keyof Stores>(
      provide: abstract new (...given: never[]) => Stores[Name],
      name: Name,
    ) => ({ provide, useFactory: (stores: Stores) => stores[name], inject: [Stores] });
    const providers = [
      { provide: Stores, useFactory: open },
      part(EventLog, 'log'),
      part(DocumentStore, 'documents'),
      part(BackgroundDocumentStore, 'backgroundDocuments'),
      part(KeyRing, 'personalKeys'),
      part(MasterKeys, 'masterKeys'),
      part(Sentinel, 'sentinel'),
    ];
    return { module: StoresModule, global: true, providers, exports: providers.map(({ provide }) => provide) };
  }

  onApplicationShutdown(): Promise<void> {
    return this.stores.close();
  }
}
