/** The most characters of a token: `pst_`, an id of 16 digits, `_` and a secret of 43 characters are exactly 64. */
const maximumText = 64;

// The secret is 32 bytes in base64url, without padding.
const textPattern = /^pst_([1-9][0-9]{0,15})_([\w-]{43})$/;

/** The text of a token, for an Authorization header. */
export function tokenText(id: number, secret: string): string {
  return `pst_${id}_${secret}`;
}

/** A text with every token in it masked. */
export function withoutTokens(text: string): string {
  return text.replaceAll(/pst_\d+_[\w-]+/g, '***');
}

/** The id and the secret in the text of a token, or undefined if the text is not a token. */
export function parseToken(text: string): { readonly id: number; readonly secret: string } | undefined {
  if (text.length > maximumText) return undefined;
  const [, id, secret] = textPattern.exec(text) ?? [];
  return secret !== undefined && Number.isSafeInteger(Number(id)) ? { id: Number(id), secret } : undefined;
}
