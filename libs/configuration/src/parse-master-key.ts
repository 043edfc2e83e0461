const BASE64_OF_32_BYTES = /^[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=$/;

/** The key, or undefined if the text is not 32 bytes in base64. */
export const parseMasterKey = (text: string): Buffer | undefined =>
  BASE64_OF_32_BYTES.test(text) ? Buffer.from(text, 'base64') : undefined;
