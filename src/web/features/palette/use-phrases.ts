import { useEffect, useState } from 'react';
import { useCommands } from '../../core/commands.ts';
import { arePhrasesThere, loadPhrases } from './loose-entries.ts';
import type { PhrasesState } from './root-parts.ts';

/** The phrases by which commands are found beside their titles and keywords: they come after the palette is open. */
export function usePhrases(): PhrasesState {
  const { services } = useCommands();
  const [state, setState] = useState<PhrasesState>(arePhrasesThere() ? 'there' : 'coming');
  useEffect(() => {
    if (arePhrasesThere()) return;
    loadPhrases().then(
      () => setState('there'),
      (error: unknown) => {
        services.log('The phrases of the palette could not be loaded.', error);
        setState('missing');
      },
    );
  }, [services]);
  return state;
}
