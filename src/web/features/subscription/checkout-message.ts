/** What the frame of a checkout tells the page around it. */
export type CheckoutMessage =
  /** It listens, and can be told what to open. */
  | { readonly type: 'ready' }
  | { readonly type: 'success'; readonly hostedPageId: string }
  | { readonly type: 'closed' }
  /** The provider's script did not load. */
  | { readonly type: 'failed' };

/** The origin of a sandboxed document, as messages have it: it has none. */
const sandboxOrigin = 'null';

/**
 * What a message of a window says about a checkout; undefined unless it comes from the checkout's own frame, which is
 * sandboxed, and is about the page that this company was given.
 * @param frame the window of the checkout's frame, null before it has one
 */
export function readCheckoutMessage(
  { origin, source, data }: Pick<MessageEvent<unknown>, 'origin' | 'source' | 'data'>,
  frame: MessageEventSource | null,
  hostedPageId: string,
): CheckoutMessage | undefined {
  if (origin !== sandboxOrigin || source === null || source !== frame) return undefined;
  if (typeof data !== 'object' || data === null || !('type' in data)) return undefined;
  const { type } = data;
  if (type === 'ready' || type === 'closed' || type === 'failed') return { type };
  const isOwn = type === 'success' && 'hostedPageId' in data && data.hostedPageId === hostedPageId;
  return isOwn ? { type, hostedPageId } : undefined;
}
