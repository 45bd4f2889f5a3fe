import { useEffect, useState } from 'react';
import type { Levels } from './use-levels.ts';

/** Why Enter has done nothing, and how to say it. It is gone once something else is typed, moved to or chosen. */
export function useExplained({
  now,
  picked,
}: Pick<Levels, 'now' | 'picked'>): readonly [text: string, explain: (text: string) => void] {
  const [said, say] = useState({ text: '', picked });
  useEffect(() => now.subscribe(() => say({ text: '', picked: undefined })), [now]);
  return [said.picked === picked ? said.text : '', (text) => say({ text, picked })];
}
