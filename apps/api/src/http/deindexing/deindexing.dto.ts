import { OneOf } from '../validation/rules.js';

export class RequestDeindexBody {
  @OneOf('search')
  provider!: 'search';
}
