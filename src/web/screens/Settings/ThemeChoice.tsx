import type { Theme } from '../../../registry/services.ts';
import { useApp } from '../../app/context.ts';
import { useCell } from '../../state/state.ts';

const themes: readonly { readonly theme: Theme; readonly title: string; readonly help: string }[] = [
  { theme: 'system', title: 'System', help: 'Follows this device.' },
  { theme: 'light', title: 'Light', help: 'Always light.' },
  { theme: 'dark', title: 'Dark', help: 'Always dark.' },
];

/** The look of the console in this browser. */
export function ThemeChoice() {
  const { appearance, run } = useApp();
  const chosen = useCell(appearance, (state) => state.theme);
  return (
    <fieldset className="choices">
      <legend className="sec">Kept in this browser.</legend>
      {themes.map(({ theme, title, help }) => (
        <label key={theme} className="choice">
          <input
            type="radio"
            name="theme"
            value={theme}
            checked={chosen === theme}
            onChange={() => run('appearance.setTheme', { theme })}
          />
          <b className="semi">{title}</b>
          <span className="sec">{help}</span>
        </label>
      ))}
    </fieldset>
  );
}
