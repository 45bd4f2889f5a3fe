import type { PasskeyAssertion, PasskeyAttestation } from '../../contract/passkeys.ts';

/** A browser's account of how it was asked. It counts only after the signature was checked. */
interface ClientData {
  /** The challenge that was signed; empty without one. */
  readonly challenge: string;
  /** Whether the page that asked is in a frame of another site. No site frames the console, so nobody was asked there. */
  readonly isFramed: boolean;
}

/** Reads a browser's account of how it was asked for a signature. */
export function clientDataIn({ response }: PasskeyAssertion | PasskeyAttestation): ClientData {
  try {
    const data: unknown = JSON.parse(Buffer.from(response.clientDataJSON, 'base64url').toString('utf8'));
    if (typeof data !== 'object' || data === null) return { challenge: '', isFramed: false };
    const { challenge, crossOrigin } = data as Readonly<Record<string, unknown>>;
    return { challenge: typeof challenge === 'string' ? challenge : '', isFramed: crossOrigin === true };
  } catch {
    return { challenge: '', isFramed: false };
  }
}
