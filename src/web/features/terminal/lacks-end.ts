import type { Cast } from '../../../contract/asciicast.ts';
import type { Recording } from '../../../contract/recordings.ts';

/** Whether a recording has ended without the marker that is always its last event: parts behind it are gone. */
export const lacksEnd = ({ endedAt }: Pick<Recording, 'endedAt'>, { events }: Cast): boolean =>
  endedAt !== null && events.at(-1)?.[1] !== 'm';
