import { type FactoryProvider, Injectable, type Type } from '@nestjs/common';
import { type Document, DocumentStore, LiveCollections, type Projection } from '#kernel';
import { ReadModel } from '../engine/read-model.js';

@Injectable()
export class ReadModels {
  constructor(
    private readonly documents: DocumentStore,
    private readonly live: LiveCollections,
  ) {}

  of<D extends Document>(projection: Pick<Projection, 'name' | 'version'>): ReadModel<D> {
    return new ReadModel<D>(projection, this.documents, this.live);
  }
}

/** Provides a class whose only dependency is the read model that it reads. */
export const readModelProvider = <D extends Document, Reader>(
  reader: Type<Reader> & (new (documents: ReadModel<D>) => Reader),
  projection: Pick<Projection, 'name' | 'version'>,
): FactoryProvider<Reader> => ({
  provide: reader,
  useFactory: (readModels: ReadModels) => new reader(readModels.of<D>(projection)),
  inject: [ReadModels],
});
