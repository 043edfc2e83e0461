import type { CreatorId } from '#kernel';
import type { KeyRing } from '#personal-data';

export type PersonalKeyStatus = 'none' | 'destroyed' | 'kept';

export const personalKeyStatus = async (keys: KeyRing, creatorId: CreatorId): Promise<PersonalKeyStatus> => {
  const [key] = (await keys.keysOf([creatorId])).values();
  if (key === undefined) return 'none';
  return key === null ? 'destroyed' : 'kept';
};
