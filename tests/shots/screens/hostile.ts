import { expect, type Page } from 'playwright/test';
import { harbour, type Shot, untilLive, untilRows } from '../shot.ts';

const long = 'a-name-of-63-characters-that-says-all-it-knows-about-itself-abc';
const path = `${harbour}/namespaces/shop/deployments/${long}`;

/** An object whose texts are as unkind as a cluster lets them be. */
export const hostileObject = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: {
    name: long,
    labels: { app: long, [`${'long.'.repeat(20)}example.org/${'k'.repeat(63)}`]: 'v'.repeat(63) },
    annotations: {
      'example.org/right-to-left': 'שלום \u202Eevil.exe\u202C مرحبا بالعالم',
      'example.org/zero-width': 'a\u200Bb\u200Bc\uFEFFd\u2060e',
      'example.org/emoji': '🚢⚓🧭'.repeat(40),
      'example.org/marks': `Z${'\u0353\u035A\u0326\u030B\u036F'.repeat(30)}algo`,
      'example.org/ten-kilobytes': 'x'.repeat(10_240),
      'example.org/lines': 'one\ntwo\n\n\n\tthree <b>bold</b> <script>alert(1)</script>',
    },
  },
  spec: {
    replicas: 2,
    selector: { matchLabels: { app: long } },
    template: {
      metadata: { labels: { app: long } },
      spec: {
        containers: [
          {
            name: 'c'.repeat(63),
            image: `registry.${'sub.'.repeat(20)}example.org/team/${'i'.repeat(100)}:v1.0.0@sha256:${'0123456789abcdef'.repeat(4)}`,
            args: ['--', 'word '.repeat(200), '🚢'.repeat(60)],
            env: [{ name: 'E'.repeat(120), value: '\u202Edetrevni'.repeat(20) }],
          },
        ],
      },
    },
  },
} as const;

/** Waits for rows and, where there is room for it, for what they use. */
async function untilUsage(page: Page): Promise<void> {
  await untilRows(page);
  if ((page.viewportSize()?.width ?? 0) > 1_000)
    await expect(page.getByRole('gridcell').filter({ hasText: /^\d+m/ })).toHaveCount(2);
}

/** What unkind texts make of a list, an object and a tool. */
export const hostile: readonly Shot[] = [
  { name: 'hostile-list', path: `${harbour}/deployments?q=a-name`, ready: untilRows },
  { name: 'hostile-pods', path: `${harbour}/pods?q=a-name`, ready: untilUsage },
  { name: 'hostile-detail', path, isFull: true, ready: untilLive },
  { name: 'hostile-yaml', path: `${path}?view=yaml`, ready: untilLive },
];
