import type { Theme } from '../../../registry/commands/services.ts';
import { useCommands } from '../../core/commands.ts';
import { useKept } from '../../core/state/port.ts';
import { useCell } from '../../core/state/state.ts';
import { Choices } from './Choices.tsx';

const themes: readonly { readonly value: Theme; readonly title: string; readonly help: string }[] = [
  { value: 'system', title: 'System', help: 'Follows this device.' },
  { value: 'light', title: 'Light', help: 'Always light.' },
  { value: 'dark', title: 'Dark', help: 'Always dark.' },
];

/** The look of the console in this browser. */
export function ThemeChoice() {
  const { run } = useCommands();
  const { appearance } = useKept();
  const chosen = useCell(appearance, (state) => state.theme);
  return (
    <Choices
      name="theme"
      legend="Kept in this browser."
      choices={themes}
      chosen={chosen}
      onChoose={(theme) => run('appearance.setTheme', { theme })}
    />
  );
}
