import { stringifySearch } from '../../workspace/search.ts';

/** Where a recording is replayed. */
export const replayHref = (recording: string): string =>
  `/settings${stringifySearch({ section: 'recordings', recording })}`;
