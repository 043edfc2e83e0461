/**
 * One character that nobody can see (D96): white space, a control or format character, a default-ignorable code point
 * such as U+3164, or the blank Braille pattern U+2800. The source of an expression that needs the flag `u`.
 */
export const INVISIBLE = String.raw`[\p{White_Space}\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]`;

const EACH_INVISIBLE = new RegExp(INVISIBLE, 'gu');

export const withoutInvisible = (text: string): string => text.replaceAll(EACH_INVISIBLE, '');

/** Whether nothing of a text can be seen. */
export const isBlank = (text: string): boolean => withoutInvisible(text) === '';
