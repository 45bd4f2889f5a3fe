import type { PasskeyAssertion, PasskeyAttestation } from '../../contract/passkeys.ts';

/**
 * The challenge that a browser says it was asked to have signed; empty where it says none. Who believes it has checked
 * the signature.
 */
export function challengeIn({ response }: PasskeyAssertion | PasskeyAttestation): string {
  try {
    const data: unknown = JSON.parse(Buffer.from(response.clientDataJSON, 'base64url').toString('utf8'));
    return typeof data === 'object' &&
      data !== null &&
      'challenge' in data &&
      typeof data.challenge === 'string'
      ? data.challenge
      : '';
  } catch {
    return '';
  }
}
