import { useEffect, useRef } from 'react';
import { useViewSearch } from '../../workspace/view.ts';
import { Page } from '../Page.tsx';
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
      <div ref={page} className="settings">
        <section className="card set" data-section="profile" aria-labelledby="set-profile">
          <h2 id="set-profile">Profile</h2>
          <Profile />
        </section>
        <section className="card set" data-section="theme" aria-labelledby="set-theme">
          <h2 id="set-theme">Theme</h2>
          <ThemeChoice />
        </section>
        <section className="card set" data-section="changes" aria-labelledby="set-changes">
          <h2 id="set-changes">Changes</h2>
          <ChangesChoice />
        </section>
        <section className="card set" data-section="keys" aria-labelledby="set-keys">
          <h2 id="set-keys">Keys</h2>
          <KeymapEditor />
        </section>
      </div>
    </Page>
  );
}
