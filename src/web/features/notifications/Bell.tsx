import { useQuery } from '@tanstack/react-query';
import { BellRing } from 'lucide-react';
import { type ComponentProps, useState } from 'react';
import { useCommands } from '../../core/commands.ts';
import { useCell } from '../../core/state/state.ts';
import { useData } from '../../data/port.ts';
import { useKeyText } from '../../keyboard/Keys.tsx';
import { IconButton } from '../../kit/Button.tsx';
import { Optional } from '../../kit/Optional.tsx';
import { useNotifications } from './port.ts';
import { lazyPart } from '../../kit/lazy-part.ts';

const load = () => import('./BellPanel.tsx');
const BellPanel = lazyPart(async () => (await load()).BellPanel);

/** The bell of the top bar, with the number of what is unread; pressing it opens what was told. */
export function Bell() {
  const { run } = useCommands();
  const { isOpen } = useNotifications();
  const isShown = useCell(isOpen);
  const [isWanted, setWanted] = useState(false);
  if (isShown && !isWanted) setWanted(true);
  const button = <BellButton onPointerEnter={() => void load()} onClick={() => run('notifications.show')} />;
  if (!isWanted) return button;
  return (
    <Optional
      what="The list of notifications"
      fallback={button}
      onMissing={() => {
        isOpen.set(false);
        setWanted(false);
      }}
    >
      <BellPanel />
    </Optional>
  );
}

/** Largest number that the button shows. */
const countLimit = 99;

/** The button alone. */
export function BellButton(props: Omit<ComponentProps<typeof IconButton>, 'label' | 'keyHint' | 'children'>) {
  const { queries } = useData();
  const keys = useKeyText('notifications.show');
  const unread = useQuery(queries.notifications).data?.unread ?? 0;
  const count = unread > countLimit ? `${countLimit}+` : String(unread);
  return (
    <IconButton
      {...props}
      className="relative"
      label={unread === 0 ? 'Notifications' : `Notifications, ${count} unread`}
      keyHint={keys}
      aria-haspopup="dialog"
    >
      <BellRing size={16} strokeWidth={1.75} aria-hidden="true" />
      {unread > 0 && (
        <span
          className="absolute -top-0.5 -right-0.5 min-w-3.5 rounded-full bg-accent px-0.75 text-center text-2xs/3.5 font-semibold text-accent-on forced-colors:border"
          aria-hidden="true"
        >
          {count}
        </span>
      )}
    </IconButton>
  );
}
