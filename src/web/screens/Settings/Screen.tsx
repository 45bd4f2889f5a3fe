import { useEffect, useRef } from 'react';
import { useViewSearch } from '../../workspace/view.ts';
import { SetCard, SetList } from '../../kit/SetCard.tsx';
import { Page } from '../../frame/Page.tsx';
import { ChangesChoice } from './ChangesChoice.tsx';
import { KeymapEditor } from './KeymapEditor.tsx';
import { Profile } from './Profile.tsx';
import { ThemeChoice } from './ThemeChoice.tsx';

/** `/settings`: the person's profile, theme, changes and keys. `?at=keys` shows that section. */
export function Screen() {
  const [{ at }] = useViewSearch();
  const page = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (at === undefined) return;
    page.current?.querySelector(`[data-section="${CSS.escape(at)}"]`)?.scrollIntoView();
  }, [at]);
  return (
    <Page title="Settings" mode="SETTINGS">
      <div ref={page}>
        <SetList>
          <SetCard title="Profile" section="profile">
            <Profile />
          </SetCard>
          <SetCard title="Theme" section="theme">
            <ThemeChoice />
          </SetCard>
          <SetCard title="Changes" section="changes">
            <ChangesChoice />
          </SetCard>
          <SetCard title="Keys" section="keys">
            <KeymapEditor />
          </SetCard>
        </SetList>
      </div>
    </Page>
  );
}
