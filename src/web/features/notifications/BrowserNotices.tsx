import { useState } from 'react';
import { useCell } from '../../core/state/state.ts';
import { useKept } from '../../core/state/port.ts';
import { Button } from '../../kit/Button.tsx';
import { askForNotices, noticePermission } from './browser-notice.ts';

/** Turns the browser's own notices on and off. The browser is asked by a press here, and never otherwise. */
export function BrowserNotices() {
  const { browserNotices } = useKept();
  const isWanted = useCell(browserNotices);
  const [permission, setPermission] = useState(noticePermission);
  if (permission === 'unsupported') return null;
  const isOn = isWanted && permission === 'granted';
  const toggle = async () => {
    if (isOn) {
      browserNotices.set(false);
      return;
    }
    const answer = permission === 'granted' ? permission : await askForNotices();
    setPermission(answer);
    browserNotices.set(answer === 'granted');
  };
  return (
    <div className="flex items-center gap-2 text-text-2">
      <span className="min-w-0 flex-1" role="status">
        {permission === 'denied'
          ? 'This browser blocks notifications from this site. Allow them in its settings.'
          : 'Browser notifications while you use another tab or program'}
      </span>
      {permission !== 'denied' && (
        <Button
          size="sm"
          variant={isOn ? 'light' : 'secondary'}
          aria-pressed={isOn}
          onClick={() => void toggle()}
        >
          {isOn ? 'On' : 'Turn on'}
        </Button>
      )}
    </div>
  );
}
