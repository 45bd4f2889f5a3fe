import type { Part } from '../admission/strategy.ts';
import type { WriteOptions } from '../objects/objects.ts';
import type { Target } from './request.ts';

const parts = new Set<string>([
  'status',
  'approval',
  'ephemeralcontainers',
  'finalize',
  'resize',
] satisfies Part[]);

/** The part of an object that a write to a subresource may change. */
export function partOf({ subresource }: Target): Pick<WriteOptions, 'part'> {
  const name = subresource?.name ?? '';
  return parts.has(name) ? { part: name as Part } : {};
}
