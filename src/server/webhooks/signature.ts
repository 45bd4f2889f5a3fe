import { createHmac, randomBytes } from 'node:crypto';

const prefix = 'whsec_';
const lengths = { min: 24, max: 64 };

/** A secret of chance, as Standard Webhooks writes it. */
export const newSecret = (): string => prefix + randomBytes(32).toString('base64');

/** Whether a text is a secret: `whsec_` and 24 to 64 bytes in base64. */
export function isSecret(text: string): boolean {
  const key = keyOf(text);
  return (
    text.startsWith(prefix) &&
    key.toString('base64') === text.slice(prefix.length) &&
    key.length >= lengths.min &&
    key.length <= lengths.max
  );
}

const keyOf = (secret: string) => Buffer.from(secret.slice(prefix.length), 'base64');

/**
 * The headers of one try, as Standard Webhooks 1.0 has them: a signature for each secret that is good.
 * @param at epoch ms of the try
 */
export function signedHeaders(
  { id, body }: { readonly id: string; readonly body: string },
  at: number,
  secrets: readonly string[],
): Readonly<Record<string, string>> {
  const timestamp = String(Math.floor(at / 1000));
  const signature = (secret: string) =>
    `v1,${createHmac('sha256', keyOf(secret)).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': secrets.map(signature).join(' '),
  };
}
