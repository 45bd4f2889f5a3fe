import type { Tone } from '../../registry/tone.ts';

/** Surface of a stretch of a bar, by the tone of what it stands for; hatched where it asks for a look. */
export const segmentSurface: Readonly<Record<Tone | 'rest', string>> = {
  ok: 'bg-ok',
  rest: 'bg-control',
  warn: 'bg-[repeating-linear-gradient(115deg,var(--color-warn)_0_3px,var(--color-warn-bg)_3px_5px)]',
  bad: 'bg-[repeating-linear-gradient(65deg,var(--color-bad)_0_3px,var(--color-bad-bg)_3px_4px)]',
  info: 'bg-[repeating-linear-gradient(115deg,var(--color-info)_0_3px,var(--color-info-bg)_3px_5px)]',
  idle: 'bg-chart-track',
};
