import type { Appearance } from '../../registry/commands/services.ts';
import { applyTheme, createAppearance, withMoreToggled } from '../core/state/appearance.ts';
import { createColumnChoices } from '../core/state/columns.ts';
import { browserNotices } from '../core/state/browser-notices.ts';
import type { KeptPort } from '../core/state/port.ts';
import { createFirstSteps } from '../core/state/first-steps.ts';
import { persisted } from '../core/state/persisted.ts';
import { createRecents } from '../core/state/recents.ts';
import { usageRange } from '../core/state/usage-range.ts';
import { Refusal } from '../../registry/commands/refusal.ts';
import { browserKeeper } from '../kit/keeper.ts';

const narrowQuery = '(max-width: 767.98px)';

/** Makes what this browser keeps, and shows its theme. */
export function createKept(): KeptPort {
  const keeper = browserKeeper();
  const appearance = createAppearance(keeper);
  const showTheme = () => applyTheme(document.documentElement, appearance.get().theme);
  showTheme();
  appearance.subscribe(showTheme);
  return {
    appearance,
    columnChoices: createColumnChoices(keeper),
    usageRange: persisted(usageRange, keeper),
    browserNotices: persisted(browserNotices, keeper),
    recents: createRecents(keeper),
    firstSteps: createFirstSteps(keeper),
  };
}

/** The commands' access to the page's appearance. */
export function appearanceService({ appearance, usageRange: shownTime }: KeptPort): Appearance {
  return {
    toggleSidebar: () =>
      appearance.update((value) => ({
        ...value,
        isSidebarOpen: !(value.isSidebarOpen ?? !matchMedia(narrowQuery).matches),
      })),
    toggleMore: () => appearance.update(withMoreToggled),
    toggleFullScreen,
    setTheme: (theme) => appearance.update((value) => ({ ...value, theme })),
    theme: () => appearance.get().theme,
    setUsageRange: (seconds) => shownTime.set(seconds),
    toggleTabLeaves: () => {
      const tabLeaves = appearance.get().tabLeaves !== true;
      appearance.update((value) => ({ ...value, tabLeaves }));
      return tabLeaves;
    },
  };
}

async function toggleFullScreen(): Promise<void> {
  if (!document.fullscreenEnabled) throw new Refusal('This browser does not allow full screen.');
  if (document.fullscreenElement === null) await document.documentElement.requestFullscreen();
  else await document.exitFullscreen();
}
