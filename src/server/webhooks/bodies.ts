import type { DeliveryType, WebhookFormat } from '../../contract/webhooks.ts';

/** Numbers of events by their types. */
export type EventCounts = Readonly<Record<string, number>>;

/** What a happening tells: names, states of a closed vocabulary and the path of its page, never an object or its texts. */
export interface HappeningData {
  /** A sentence without a full stop: `shop/web: ImagePullBackOff`. */
  readonly title: string;
  readonly cluster: { readonly id: number; readonly name: string };
  readonly object?: { readonly kind: string; readonly namespace?: string; readonly name: string };
  /** What state it is in, or what was done. */
  readonly state?: string;
  /** Since when, ISO. */
  readonly since?: string;
  /** Who did it. */
  readonly actor?: string;
  /** Of a summary: how many events of each type were not told one by one. */
  readonly counts?: EventCounts;
  /** The path of its page in the console. */
  readonly path: string;
}

/** The longest text of one name or sentence in a body. */
const textLimit = 300;
const cut = (text: string) =>
  text.length > textLimit ? `${text.slice(0, textLimit - 1).toWellFormed()}…` : text;

/** A text as the database takes it: it refuses NUL and half a surrogate pair. */
export const storableText = (text: string): string => text.toWellFormed().replaceAll('\0', '\ufffd');

/** What a happening tells, as it is stored: each text such as the database takes it, and none but a path longer than in a body. */
export function storableData(data: HappeningData): HappeningData {
  const whole = JSON.stringify(data, (key, value: unknown) => {
    if (typeof value !== 'string') return value;
    return key === 'path' ? storableText(value) : cut(storableText(value));
  });
  return JSON.parse(whole) as HappeningData;
}

/** The body of a delivery, the same at every try. @param origin where people open the console */
export function bodyOf(
  format: WebhookFormat,
  { type, at, data }: { readonly type: DeliveryType; readonly at: string; readonly data: HappeningData },
  origin: string,
): string {
  const { path, ...rest } = data;
  const url = `${origin}${path}`;
  const title = cut(data.title);
  const line = `${cut(data.cluster.name)}: ${title}`;
  switch (format) {
    case 'standard':
      return JSON.stringify({ type, timestamp: at, data: { ...rest, title, url } });
    case 'slack':
      // Names may hold what Slack takes for a mention or a link.
      return JSON.stringify({ text: `${escapeSlack(line)}\n<${url}|Open in Wheelhouse>` });
    case 'teams':
      return JSON.stringify({
        type: 'message',
        attachments: [
          {
            contentType: 'application/vnd.microsoft.card.adaptive',
            content: {
              type: 'AdaptiveCard',
              version: '1.4',
              body: [{ type: 'RichTextBlock', inlines: [{ type: 'TextRun', text: line }] }],
              actions: [{ type: 'Action.OpenUrl', title: 'Open in Wheelhouse', url }],
            },
          },
        ],
      });
    default: {
      const unknown: never = format;
      return unknown;
    }
  }
}

const escapeSlack = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
